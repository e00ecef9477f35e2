-- What is odd about the data, a row a case: code, the game (null: none), the record where it stands (of a game its first
-- sighting, null: several), and in words what it is. `pipeline.quality` says what the codes mean. An edit that mends
-- something takes it off this list: games and seats are as edited, sightings as read. A question and no view: every
-- reader that opens would pay for it.

WITH firsts AS (
    SELECT game_no, min(seen_no) AS seen_no, arg_min(source, seen_no) AS source, arg_min(record, seen_no) AS record,
           arg_min(declared, seen_no) AS declared
    FROM library.sightings GROUP BY game_no
),
-- Moves as numbers, one list a game. In the order of lists a game stands right before the longer ones that begin with
-- it. A game that stops is longer than its legal moves, and its rest is like nobody else's.
lines AS (
    SELECT g.game_no, g.id, g.variant, g.setup, g.recorded_plies,
           CASE WHEN g.illegal THEN list_append(m.line, -g.game_no) ELSE m.line END AS line
    FROM library.games g
    JOIN (
        SELECT game_no, list(placement::BIGINT * 8 + colour ORDER BY ply) AS line FROM moves_raw GROUP BY game_no
    ) m USING (game_no)
),
neighbours AS (
    SELECT game_no, line, lead(line) OVER same AS next_line, lead(id) OVER same AS next_id,
           lead(recorded_plies) OVER same AS next_plies
    FROM lines WINDOW same AS (PARTITION BY variant, setup ORDER BY line)
),
names AS (
    SELECT player, person, count(*) AS times
    FROM (
        SELECT player, person FROM seats
        UNION ALL
        SELECT r.player, coalesce(a.player, r.player)
        FROM (SELECT unnest(players) AS player FROM results) r LEFT JOIN library.aliases a ON a.name = r.player
    )
    WHERE trim(player) <> '' GROUP BY player, person
),
warned AS (
    SELECT game_no, seen_no, source, record, unnest(warnings) AS warning, unnest(warning_codes) AS code
    FROM library.sightings
    UNION ALL
    SELECT NULL, NULL, source, record, unnest(warnings), unnest(warning_codes) FROM library.results
    UNION ALL
    SELECT NULL, NULL, source, record, unnest(warnings), unnest(warning_codes) FROM library.positions
    UNION ALL
    SELECT NULL, NULL, source, record, unnest(warnings), unnest(warning_codes) FROM library.piece_lists
),
cases AS (
    SELECT 'duplicate' AS code, s.game_no, s.source, s.record,
           'first seen in ' || f.source || ', game ' || f.record AS detail
    FROM library.sightings s JOIN firsts f USING (game_no) WHERE s.seen_no > f.seen_no
    UNION ALL
    SELECT 'prefix', game_no, NULL, NULL, 'goes on in ' || next_id || ', which has ' || next_plies || ' plies'
    FROM neighbours WHERE next_line[:len(line)] = line
    UNION ALL
    SELECT 'mismatch', g.game_no, NULL, NULL,
           'declared ' || coalesce(e.value, f.declared, 'otherwise') || ', computed '
           || CASE g.outcome WHEN 'draw' THEN 'draw' ELSE 'seat ' || array_to_string(g.winners, '+') END
           || ' (' || array_to_string(v.points, ' ') || ')'
    FROM library.games g
    JOIN games_view v USING (game_no)
    JOIN firsts f USING (game_no)
    LEFT JOIN (
        SELECT id, arg_max(value, edit) AS value FROM library.edits WHERE field = 'result' GROUP BY id
    ) e ON e.id = g.id
    WHERE g.mismatch
    UNION ALL
    SELECT 'mismatch', s.game_no, s.source, s.record, 'declared ' || coalesce(s.declared, 'otherwise')
    FROM library.sightings s JOIN firsts f USING (game_no) WHERE s.mismatch AND s.seen_no > f.seen_no
    UNION ALL
    -- As `notation.dates.parse_date` has it.
    SELECT CASE
               WHEN year IS NOT NULL THEN 'date_partial'
               WHEN trim(coalesce(date_text, '')) = '' THEN 'date_unknown'
               WHEN regexp_full_match(
                   trim(split_part(date_text, ',', 1)),
                   '\?{4}([-./](\d{1,2}|\?\?)([-./](\d{1,2}|\?\?))?)?([T ]\d{1,2}:\d{2}\S*)?'
               ) THEN 'date_unknown'
               ELSE 'date_invalid'
           END,
           game_no, NULL, NULL, nullif(date_text, '')
    FROM library.games WHERE day IS NULL
    UNION ALL
    SELECT 'player_missing', game_no, NULL, NULL,
           CASE count(*) WHEN 1 THEN 'seat ' ELSE 'seats ' END || string_agg(seat, ', ' ORDER BY seat)
    FROM library.seats WHERE NOT neutral AND trim(coalesce(player, '')) = '' GROUP BY game_no
    UNION ALL
    SELECT 'similar_players', NULL, NULL, NULL,
           string_agg('''' || player || ''' ' || times || 'x', ', ' ORDER BY times DESC, player)
    FROM names
    GROUP BY lower(strip_accents(nfc_normalize(regexp_replace(player, '[\s\p{Z}]+', '', 'g'))))
    HAVING count(DISTINCT person) > 1
    UNION ALL
    SELECT c.code, p.game_no, NULL, NULL,
           string_agg(
               n.colour_name || ' in turn ' || p.turn || ', after ply ' || p.after_ply, '; ' ORDER BY p.turn, p.colour
           )
    FROM passes_raw p
    JOIN library.games g USING (game_no)
    JOIN colour_names n ON n.variant = g.variant AND n.colour = p.colour
    JOIN (VALUES ('unforced_pass', true), ('unforced_pass', false), ('colour_order', false)) c(code, recorded)
        ON c.recorded = p.recorded
    WHERE p.kind = 'unforced' GROUP BY c.code, p.game_no
    UNION ALL
    SELECT 'illegal', game_no, NULL, NULL, message FROM library.quarantine WHERE game_no IS NOT NULL
    UNION ALL
    SELECT 'refused', NULL, source, record, message FROM library.quarantine WHERE game_no IS NULL
    UNION ALL
    SELECT 'unfinished', game_no, NULL, NULL, plies || CASE plies WHEN 1 THEN ' ply' ELSE ' plies' END
    FROM library.games WHERE unfinished AND NOT empty
    UNION ALL
    SELECT 'empty', game_no, NULL, NULL, 'no move' FROM library.games WHERE empty
    UNION ALL
    SELECT 'foreign_pieces', game_no, NULL, NULL, 'played with other pieces than ' || variant
    FROM library.games WHERE foreign_pieces
    UNION ALL
    SELECT 'rules_differ', s.game_no, s.source, s.record, 'states ' || s.rules || ', judged by ' || g.rules
    FROM library.sightings s JOIN library.games g USING (game_no) WHERE s.rules_differ
    UNION ALL
    SELECT 'unjoined_result', NULL, source, record, concat_ws(', ', 'game ' || key, array_to_string(players, ' - '))
    FROM results WHERE format = 'twogtp' AND game_no IS NULL
    UNION ALL
    SELECT 'edited', g.game_no, NULL, NULL, string_agg(DISTINCT e.field, ', ' ORDER BY e.field)
    FROM library.edits e JOIN library.games g USING (id) GROUP BY g.game_no
    UNION ALL
    SELECT CASE WHEN w.code IN ('date_invalid', 'encoding', 'piece_name') THEN w.code ELSE 'warning:' || w.code END,
           w.game_no, w.source, w.record, w.warning
    FROM warned w LEFT JOIN firsts f USING (game_no)
    -- Those two are said of the games themselves above.
    WHERE NOT (w.game_no IS NOT NULL AND w.code = 'piece_set')
      AND NOT (w.code = 'date_invalid' AND w.seen_no IS NOT DISTINCT FROM f.seen_no AND w.game_no IS NOT NULL)
)
SELECT c.code, c.game_no, g.id, coalesce(c.source, f.source) AS source, coalesce(c.record, f.record) AS record, c.detail
FROM cases c
LEFT JOIN library.games g USING (game_no)
LEFT JOIN firsts f USING (game_no)
