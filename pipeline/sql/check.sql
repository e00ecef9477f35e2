-- Invariants that no key enforces: name of the problem, and how many rows break it. None: the library is sound.

SELECT 'game ids that occur twice' AS problem, count(*) AS cases
FROM (SELECT id FROM games GROUP BY id HAVING count(*) > 1)
UNION ALL
SELECT 'game numbers that occur twice', count(*)
FROM (SELECT game_no FROM games GROUP BY game_no HAVING count(*) > 1)
UNION ALL
SELECT 'sightings of the same record', count(*)
FROM (SELECT digest, record FROM sightings GROUP BY ALL HAVING count(*) > 1)
UNION ALL
SELECT 'quarantine rows of the same record', count(*)
FROM (SELECT digest, record, game_no FROM quarantine GROUP BY ALL HAVING count(*) > 1)
UNION ALL
SELECT 'games that nobody has seen', count(*) FROM games ANTI JOIN sightings USING (game_no)
UNION ALL
SELECT 'sightings of no game', count(*) FROM sightings ANTI JOIN games USING (game_no, id)
UNION ALL
SELECT 'seats of no game', count(*) FROM seats ANTI JOIN games USING (game_no)
UNION ALL
SELECT 'colours of no game', count(*) FROM colours ANTI JOIN games USING (game_no)
UNION ALL
SELECT 'quarantine rows of no game', count(*)
FROM (FROM quarantine WHERE game_no IS NOT NULL) ANTI JOIN games USING (game_no)
UNION ALL
SELECT 'illegal games that are not in the quarantine', count(*)
FROM (FROM games WHERE illegal) ANTI JOIN quarantine USING (game_no)
UNION ALL
SELECT 'seats or colours that occur twice', count(*)
FROM (
    SELECT game_no, seat FROM seats GROUP BY ALL HAVING count(*) > 1
    UNION ALL
    SELECT game_no, colour FROM colours GROUP BY ALL HAVING count(*) > 1
)
UNION ALL
SELECT 'games whose moves are not their plies, once each', count(*)
FROM (SELECT game_no, plies FROM games) g
FULL JOIN (
    SELECT game_no, count(*) AS moves, count(DISTINCT ply) AS different, max(ply) AS last
    FROM moves_raw GROUP BY game_no
) m USING (game_no)
WHERE coalesce(g.plies, -1) <> coalesce(m.moves, 0) OR coalesce(m.moves, 0) <> coalesce(m.different, 0)
   OR coalesce(m.moves, 0) <> coalesce(m.last, 0)
UNION ALL
SELECT 'passes of no game', count(*) FROM passes_raw ANTI JOIN games USING (game_no)
UNION ALL
SELECT 'sightings, quarantine rows or repeats of a batch that is not in force', count(*)
FROM (SELECT batch FROM sightings UNION ALL SELECT batch FROM quarantine UNION ALL SELECT batch FROM repeats)
ANTI JOIN (FROM batches WHERE undone IS NULL) USING (batch)
UNION ALL
SELECT 'repeats that occur twice', count(*)
FROM (SELECT batch, digest FROM repeats GROUP BY ALL HAVING count(*) > 1)
UNION ALL
SELECT 'repeats of what is not there', count(*)
FROM repeats ANTI JOIN (SELECT digest FROM sightings UNION ALL SELECT digest FROM quarantine) USING (digest)
UNION ALL
SELECT 'rows of partitions that their list does not count', abs(
    (SELECT coalesce(sum(rows), 0) FROM partitions)
    - (SELECT count(*) FROM moves_raw) - (SELECT count(*) FROM passes_raw)
)
