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
SELECT 'results, positions or lists of pieces of the same record', count(*)
FROM (
    SELECT 'results' AS kind, digest, record FROM result_sightings GROUP BY ALL HAVING count(*) > 1
    UNION ALL
    SELECT 'positions', digest, record FROM position_sightings GROUP BY ALL HAVING count(*) > 1
    UNION ALL
    SELECT 'piece_lists', digest, record FROM piece_list_sightings GROUP BY ALL HAVING count(*) > 1
)
UNION ALL
SELECT 'results of a game that is not there', count(*)
FROM (FROM result_sightings WHERE game_no IS NOT NULL) ANTI JOIN games USING (game_no)
UNION ALL
SELECT 'declared results that no file declares', count(*)
FROM (SELECT declared_by AS digest FROM sightings WHERE declared_by IS NOT NULL)
ANTI JOIN result_sightings USING (digest)
UNION ALL
SELECT 'warnings without their codes', count(*)
FROM (
    SELECT warnings, warning_codes FROM sightings
    UNION ALL SELECT warnings, warning_codes FROM result_sightings
    UNION ALL SELECT warnings, warning_codes FROM position_sightings
    UNION ALL SELECT warnings, warning_codes FROM piece_list_sightings
)
WHERE len(warnings) IS DISTINCT FROM len(warning_codes)
UNION ALL
SELECT 'names with several aliases', count(*)
FROM (SELECT name FROM aliases GROUP BY name HAVING count(*) > 1)
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
SELECT 'games with features that are not those of their plies, once each', count(*)
FROM (SELECT game_no, count(*) AS times FROM feature_games_raw GROUP BY game_no) f
LEFT JOIN games g USING (game_no)
LEFT JOIN (
    SELECT game_no, count(*) AS positions, count(DISTINCT ply) AS different, max(ply) AS last
    FROM feature_plies_raw GROUP BY game_no
) p USING (game_no)
LEFT JOIN (SELECT game_no, count(*) AS views FROM features_raw GROUP BY game_no) v USING (game_no)
LEFT JOIN (SELECT variant, count(*) AS colours FROM colour_names GROUP BY variant) n USING (variant)
WHERE f.times <> 1 OR g.plies IS NULL OR p.last IS DISTINCT FROM g.plies OR p.positions <> g.plies + 1
   OR p.different <> p.positions OR v.views IS DISTINCT FROM p.positions * n.colours
UNION ALL
SELECT 'features of no game', count(*)
FROM (SELECT game_no FROM features_raw UNION ALL SELECT game_no FROM feature_plies_raw)
ANTI JOIN feature_games_raw USING (game_no)
UNION ALL
SELECT 'judged games whose rows are not their plies, once each', count(*)
FROM (SELECT game_no, count(*) AS times, any_value(plies) AS plies FROM analysed_games_raw GROUP BY game_no) a
LEFT JOIN games g USING (game_no)
LEFT JOIN (
    SELECT game_no, count(*) AS moves, count(DISTINCT ply) AS different FROM analysed_plies_raw GROUP BY game_no
) p USING (game_no)
WHERE a.times <> 1 OR g.plies IS DISTINCT FROM a.plies OR coalesce(p.moves, 0) <> a.plies
   OR coalesce(p.different, 0) <> a.plies
UNION ALL
SELECT 'judged moves of no judged game', count(*) FROM analysed_plies_raw ANTI JOIN analysed_games_raw USING (game_no)
UNION ALL
SELECT 'rows of a batch that is not in force', count(*)
FROM (
    SELECT batch FROM sightings UNION ALL SELECT batch FROM quarantine UNION ALL SELECT batch FROM repeats
    UNION ALL SELECT batch FROM result_sightings UNION ALL SELECT batch FROM position_sightings
    UNION ALL SELECT batch FROM piece_list_sightings
)
ANTI JOIN (FROM batches WHERE undone IS NULL) USING (batch)
UNION ALL
SELECT 'repeats that occur twice', count(*)
FROM (SELECT batch, digest FROM repeats GROUP BY ALL HAVING count(*) > 1)
UNION ALL
SELECT 'repeats of what is not there', count(*)
FROM repeats ANTI JOIN (
    SELECT digest FROM sightings UNION ALL SELECT digest FROM quarantine UNION ALL SELECT digest FROM result_sightings
    UNION ALL SELECT digest FROM position_sightings UNION ALL SELECT digest FROM piece_list_sightings
) USING (digest)
UNION ALL
SELECT 'rows of partitions that their list does not count', abs(
    (SELECT coalesce(sum(rows), 0) FROM partitions
     WHERE kind IN ('moves', 'passes', 'features', 'feature_plies', 'feature_games', 'heat', 'ply_sums',
                    'analysed_plies', 'analysed_games'))
    - (SELECT count(*) FROM moves_raw) - (SELECT count(*) FROM passes_raw)
    - (SELECT count(*) FROM features_raw) - (SELECT count(*) FROM feature_plies_raw)
    - (SELECT count(*) FROM feature_games_raw) - (SELECT count(*) FROM heat_raw) - (SELECT count(*) FROM ply_sums_raw)
    - (SELECT count(*) FROM analysed_plies_raw) - (SELECT count(*) FROM analysed_games_raw)
)
