-- Fills what results of the batch in the temporary table `this_batch` declare into the sightings that declare nothing.
-- `declarations` (digest, seen_no, game_no, text, winner: a seat, 0 a draw; margin: null where unknown) and `points`
-- (variant, scoring and their figures) come from the program.

CREATE TEMP TABLE joined AS
WITH seat_points AS (
    SELECT c.game_no, c.seat,
           sum(c.cells_placed * p.per_cell_placed + (p.set_cells - c.cells_placed) * p.per_cell_left
               + CASE WHEN NOT c.all_placed THEN 0 WHEN c.single_last THEN p.single_last ELSE p.all_placed END) AS points
    FROM colours c
    JOIN games g USING (game_no)
    JOIN points p USING (variant, scoring)
    WHERE c.game_no IN (SELECT game_no FROM declarations) AND c.seat IS NOT NULL
    GROUP BY c.game_no, c.seat
),
margins AS (
    SELECT game_no, abs(sum(CASE seat WHEN 1 THEN points ELSE -points END)) AS margin
    FROM seat_points GROUP BY game_no
)
SELECT d.digest, d.seen_no, d.text, d.winner,
       -- As `pipeline.outcomes.is_mismatch` has it for two seats: a game without a result contradicts nothing.
       CASE WHEN len(g.winners) = 0 THEN NULL
            ELSE (CASE WHEN len(g.winners) = 1 THEN g.winners[1] ELSE 0 END) <> d.winner
                 OR coalesce(m.margin <> d.margin, false)
       END AS mismatch
FROM declarations d
JOIN games g USING (game_no)
JOIN margins m USING (game_no);

UPDATE sightings s
SET declared = j.text, declared_winner = j.winner, declared_by = j.digest, mismatch = j.mismatch
FROM joined j
WHERE s.batch = (SELECT batch FROM this_batch) AND s.seen_no = j.seen_no AND s.declared IS NULL;

UPDATE games g SET mismatch = s.mismatch
FROM (
    SELECT game_no, mismatch, declared_by FROM sightings WHERE game_no IN (SELECT game_no FROM declarations)
    QUALIFY row_number() OVER (PARTITION BY game_no ORDER BY seen_no) = 1
) s
WHERE g.game_no = s.game_no AND s.declared_by IS NOT NULL;
