-- Joins results of numbered games (format twogtp) of the batch in the temporary table `this_batch` with the games of the
-- same folder, or the same folder of an archive, that the batch brings. All rows of a file or none: one wrong row would
-- mean that the numbers are those of other games. `pairs` are the results with their games and sightings.

CREATE TEMP TABLE result_files AS
SELECT digest, source, regexp_replace(source, '[^/\\!]*$', '') AS folder, count(*) AS results,
       count(*) OVER (PARTITION BY regexp_replace(source, '[^/\\!]*$', '')) AS files
FROM results WHERE batch = (SELECT batch FROM this_batch) AND format = 'twogtp'
GROUP BY digest, source;

CREATE TEMP TABLE numbered_results AS
SELECT digest, source, record, headers, TRY_CAST(key AS BIGINT) AS number,
       count(*) OVER (PARTITION BY digest, source, TRY_CAST(key AS BIGINT)) AS rows
FROM results WHERE batch = (SELECT batch FROM this_batch) AND format = 'twogtp';

CREATE TEMP TABLE numbered_games AS
SELECT folder, number, seen_no, game_no, count(*) OVER (PARTITION BY folder, number) AS games
FROM (
    SELECT regexp_replace(source, '[^/\\!]*$', '') AS folder, seen_no, game_no,
           TRY_CAST(headers ->> '$.game_number' AS BIGINT) AS number
    FROM sightings WHERE batch = (SELECT batch FROM this_batch) AND format = 'blksgf'
)
SEMI JOIN result_files USING (folder);

-- The first reason that applies to a file; null: it is joined.
CREATE TEMP TABLE judged_files AS
SELECT f.digest, f.source, f.folder, f.results,
       CASE
           WHEN f.files > 1 THEN 'there are ' || f.files || ' files of results in the folder'
           WHEN NOT EXISTS (FROM numbered_games g WHERE g.folder = f.folder)
               THEN 'the folder has no new records of games in .blksgf'
           WHEN EXISTS (FROM numbered_results r WHERE r.digest = f.digest AND r.source = f.source AND r.number IS NULL)
               THEN 'a result has no number'
           ELSE coalesce(
               (SELECT 'the number ' || min(number) || ' stands at several results' FROM numbered_results r
                WHERE r.digest = f.digest AND r.source = f.source AND r.rows > 1 HAVING count(*) > 0),
               (SELECT 'several games have the number ' || min(number) FROM numbered_games g
                WHERE g.folder = f.folder AND g.number IS NOT NULL AND g.games > 1 HAVING count(*) > 0),
               (SELECT 'no game has the number ' || min(r.number) FROM numbered_results r
                WHERE r.digest = f.digest AND r.source = f.source
                  AND NOT EXISTS (FROM numbered_games g WHERE g.folder = f.folder AND g.number = r.number)
                HAVING count(*) > 0)
           )
       END AS reason
FROM result_files f;

CREATE TEMP TABLE pairs AS
SELECT f.digest, r.record, g.seen_no, g.game_no, r.headers, (SELECT count(*) FROM seats s WHERE s.game_no = g.game_no) AS seats
FROM judged_files f
JOIN numbered_results r USING (digest, source)
JOIN numbered_games g ON g.folder = f.folder AND g.number = r.number
WHERE f.reason IS NULL;

UPDATE results r SET game_no = p.game_no
FROM pairs p WHERE r.batch = (SELECT batch FROM this_batch) AND r.digest = p.digest AND r.record = p.record;
