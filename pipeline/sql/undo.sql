-- Takes the batch in the temporary table `undone` out of the small tables; partitions are rewritten afterwards.
-- `handed_on`: files of the batch that others brought again, with the oldest of these, to which their rows go.
-- `fragments_gone`: results, positions and lists of pieces that go. `undeclared`: games of which a file of results that
-- goes said the result, and a sighting stays.
-- `kept`: games with such rows. `removed`: games that no other batch has seen. `heirs`: games that stay, with the sighting that is now the first.

DELETE FROM repeats WHERE batch = (SELECT batch FROM undone);

CREATE TEMP TABLE handed_on AS
SELECT digest, min(batch) AS batch FROM repeats GROUP BY digest;

CREATE TEMP TABLE kept AS
SELECT DISTINCT game_no
FROM sightings SEMI JOIN handed_on USING (digest) WHERE batch = (SELECT batch FROM undone);

UPDATE sightings s SET batch = h.batch
FROM handed_on h WHERE s.digest = h.digest AND s.batch = (SELECT batch FROM undone);

UPDATE quarantine q SET batch = h.batch
FROM handed_on h WHERE q.digest = h.digest AND q.batch = (SELECT batch FROM undone);

UPDATE results r SET batch = h.batch
FROM handed_on h WHERE r.digest = h.digest AND r.batch = (SELECT batch FROM undone);

UPDATE positions p SET batch = h.batch
FROM handed_on h WHERE p.digest = h.digest AND p.batch = (SELECT batch FROM undone);

UPDATE piece_lists l SET batch = h.batch
FROM handed_on h WHERE l.digest = h.digest AND l.batch = (SELECT batch FROM undone);

CREATE TEMP TABLE fragments_gone AS
SELECT digest, record FROM results WHERE batch = (SELECT batch FROM undone)
UNION ALL
SELECT digest, record FROM positions WHERE batch = (SELECT batch FROM undone)
UNION ALL
SELECT digest, record FROM piece_lists WHERE batch = (SELECT batch FROM undone);

DELETE FROM results WHERE batch = (SELECT batch FROM undone);
DELETE FROM positions WHERE batch = (SELECT batch FROM undone);
DELETE FROM piece_lists WHERE batch = (SELECT batch FROM undone);

CREATE TEMP TABLE affected AS
SELECT game_no, count(*) AS sightings, min(seen_no) AS seen_no
FROM sightings WHERE batch = (SELECT batch FROM undone) GROUP BY game_no;

DELETE FROM sightings WHERE batch = (SELECT batch FROM undone);

CREATE TEMP TABLE removed AS
SELECT game_no FROM affected ANTI JOIN sightings USING (game_no);

UPDATE results SET game_no = NULL WHERE game_no IN (SELECT game_no FROM removed);

CREATE TEMP TABLE undeclared AS
SELECT DISTINCT game_no
FROM sightings ANTI JOIN results ON sightings.declared_by = results.digest
WHERE declared_by IS NOT NULL;

UPDATE sightings SET declared = NULL, declared_winner = NULL, declared_by = NULL, mismatch = NULL
WHERE declared_by IS NOT NULL AND declared_by NOT IN (SELECT digest FROM results);

UPDATE games g SET mismatch = s.mismatch
FROM (
    SELECT game_no, mismatch FROM sightings WHERE game_no IN (SELECT game_no FROM undeclared)
    QUALIFY row_number() OVER (PARTITION BY game_no ORDER BY seen_no) = 1
) s
WHERE g.game_no = s.game_no;

CREATE TEMP TABLE heirs AS
SELECT s.*
FROM sightings s JOIN affected a USING (game_no)
QUALIFY row_number() OVER (PARTITION BY s.game_no ORDER BY s.seen_no) = 1 AND s.seen_no > a.seen_no;

CREATE TEMP TABLE quarantine_gone AS
SELECT digest, record FROM quarantine
WHERE game_no IN (SELECT game_no FROM removed)
   OR (game_no IS NULL AND batch = (SELECT batch FROM undone));

DELETE FROM quarantine
WHERE game_no IN (SELECT game_no FROM removed)
   OR (game_no IS NULL AND batch = (SELECT batch FROM undone));

UPDATE quarantine q
SET source = h.source, digest = h.digest, record = h.record, line = h.line, batch = h.batch
FROM heirs h WHERE q.game_no = h.game_no;

UPDATE games g
SET format = h.format, date_text = h.date_text, year = h.year, month = h.month, day = h.day,
    event = h.event, event_round = h.event_round, mismatch = h.mismatch, foreign_pieces = h.foreign_pieces
FROM heirs h WHERE g.game_no = h.game_no;

UPDATE seats s
SET player = h.players[s.seat]
FROM heirs h WHERE s.game_no = h.game_no;

DELETE FROM games WHERE game_no IN (SELECT game_no FROM removed);
DELETE FROM seats WHERE game_no IN (SELECT game_no FROM removed);
DELETE FROM colours WHERE game_no IN (SELECT game_no FROM removed);
