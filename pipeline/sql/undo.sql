-- Takes the batch in the temporary table `undone` out of the small tables; partitions are rewritten afterwards.
-- `handed_on`: files of the batch that others brought again, with the oldest of these, to which their rows go.
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

CREATE TEMP TABLE affected AS
SELECT game_no, count(*) AS sightings, min(seen_no) AS seen_no
FROM sightings WHERE batch = (SELECT batch FROM undone) GROUP BY game_no;

DELETE FROM sightings WHERE batch = (SELECT batch FROM undone);

CREATE TEMP TABLE removed AS
SELECT game_no FROM affected ANTI JOIN sightings USING (game_no);

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
    event = h.event, event_round = h.event_round, mismatch = h.mismatch
FROM heirs h WHERE g.game_no = h.game_no;

UPDATE seats s
SET player = h.players[s.seat]
FROM heirs h WHERE s.game_no = h.game_no;

DELETE FROM games WHERE game_no IN (SELECT game_no FROM removed);
DELETE FROM seats WHERE game_no IN (SELECT game_no FROM removed);
DELETE FROM colours WHERE game_no IN (SELECT game_no FROM removed);
