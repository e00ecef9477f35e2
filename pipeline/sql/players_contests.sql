-- Contests: games and results that are decided, for what is asked about players. Made in memory for one reader when it
-- is first wanted, see `pipeline/contests.py`; `result_dates` (text, year, month, day) is filled before.

-- A row for every contest. `contest` counts from 1 in the order of play: by date, what is unknown of one behind what is
-- known and no date at all last, then by the number of the round, then as they were imported. A result that belongs to
-- a game is that game. `waived`: abandoned, and the penalty for it waived. `points_of`: points of equal numbers can be
-- compared, being of one variant and scoring table.
CREATE TABLE contests AS
WITH found AS (
    SELECT g.game_no, NULL::BIGINT AS result_no, g.variant, g.scoring,
           g.year, g.month, g.day, g.event, g.event_round, g.irregular, g.foreign_pieces,
           coalesce(g.termination = 'abandoned' AND NOT g.penalty_applied, false) AS waived,
           g.game_no >> 20 AS import_unit, g.game_no & 1048575 AS import_place
    FROM games g
    WHERE NOT g.illegal AND NOT g.unfinished AND NOT g.empty
    UNION ALL
    SELECT NULL, r.seen_no, r.variant, NULL, d.year, d.month, d.day,
           r.headers ->> 'event', r.headers ->> 'event_round', false, false, false,
           r.seen_no >> 23, (1 << 20) + (r.seen_no & 8388607)
    FROM results r LEFT JOIN result_dates d ON d.text = r.headers ->> 'date'
    WHERE r.game_no IS NULL AND NOT coalesce(r.unfinished, false) AND len(r.players) BETWEEN 2 AND 100
      AND (len(r.places) = len(r.players) OR (r.margin IS NOT NULL AND len(r.players) = 2))
)
SELECT row_number() OVER (
           ORDER BY year NULLS LAST, month NULLS LAST, day NULLS LAST,
                    TRY_CAST(nullif(regexp_extract(event_round, '\d+'), '') AS INTEGER) NULLS LAST,
                    import_unit, import_place
       )::INTEGER AS contest,
       game_no, result_no, variant, scoring,
       dense_rank() OVER (ORDER BY variant, scoring)::SMALLINT AS points_of,
       event, event_round, irregular, foreign_pieces, waived, year,
       -- The days that the date can mean, as numbers 20201231; the 31st stands for the last day of every month.
       year::INTEGER * 10000 + coalesce(month::INTEGER, 1) * 100 + coalesce(day, 1) AS first_day,
       year::INTEGER * 10000 + coalesce(month::INTEGER, 12) * 100 + coalesce(day, 31) AS last_day,
       concat_ws('-', lpad(year::VARCHAR, 4, '0'), lpad(month::VARCHAR, 2, '0'), lpad(day::VARCHAR, 2, '0')) AS date
FROM found;

-- A row for every seat that has a place. `unit` is the team where there are teams, else the seat. `points` are those of
-- the game's own scoring table, or as a result states them; `online` those of the table `online`, of a possible `cells`
-- without bonus (both null for results).
CREATE TABLE placed_seats AS
WITH named AS (SELECT name, any_value(player) AS player FROM aliases GROUP BY name),
own_points AS (
    SELECT c.game_no, c.seat, count(*) * any_value(v.set_cells) AS cells,
           sum(c.cells_placed * t.per_cell_placed
               + (v.set_cells - c.cells_placed) * t.per_cell_left
               + CASE WHEN NOT c.all_placed THEN 0 WHEN c.single_last THEN t.single_last ELSE t.all_placed END
           ) AS points,
           sum(c.cells_placed
               + CASE WHEN NOT c.all_placed THEN 0 WHEN c.single_last THEN o.single_last ELSE o.all_placed END
           ) AS online
    FROM colours c
    JOIN contests k USING (game_no) JOIN variants v USING (variant) JOIN scorings t USING (scoring)
    JOIN scorings o ON o.scoring = 'online'
    WHERE c.seat IS NOT NULL
    GROUP BY c.game_no, c.seat
),
of_results AS (
    SELECT seen_no AS result_no, unnest(range(1, len(players) + 1))::TINYINT AS seat, unnest(players) AS player,
           unnest(CASE WHEN len(places) = len(players) THEN places
                       WHEN margin > 0 THEN [1, 2] WHEN margin < 0 THEN [2, 1] ELSE [1, 1] END)::TINYINT AS place,
           unnest(CASE WHEN len(scores) = len(players) THEN scores
                       ELSE list_resize([]::INTEGER[], len(players)) END) AS points
    FROM results
    WHERE len(players) BETWEEN 2 AND 100
)
SELECT k.contest, s.seat, coalesce(s.team, s.seat) AS unit, s.team IS NOT NULL AS teams, s.colours,
       nullif(trim(s.person), '') AS person, s.place, s.share AS whole_share,
       p.points::INTEGER AS points, p.online::SMALLINT AS online, p.cells::SMALLINT AS cells
FROM contests k JOIN seats s USING (game_no) LEFT JOIN own_points p USING (game_no, seat)
WHERE s.place IS NOT NULL AND NOT coalesce(s.neutral, false)
UNION ALL
SELECT k.contest, r.seat, r.seat, false, NULL,
       nullif(trim(coalesce(a.player, r.player)), ''), r.place, NULL, r.points, NULL, NULL
FROM contests k JOIN of_results r USING (result_no) LEFT JOIN named a ON a.name = r.player;

-- The same seats with what each says about its player against the others: `share` is the mean over the units without
-- this player, 1 for each that came behind, 0.5 for a tie; `verdict` 2 where none of them was as good, 1 where the best
-- of them tied, 0 where one was better. Both are null where the player sat everywhere. `nth` counts the seats of one
-- player in one contest; a seat without a name is somebody else's.
CREATE TYPE people AS ENUM (SELECT DISTINCT person FROM placed_seats WHERE person IS NOT NULL ORDER BY person);

CREATE TABLE entries AS
WITH compared AS (
    -- Where everybody has one seat the shares of the game say it already.
    SELECT contest FROM contests WHERE result_no IS NOT NULL
    UNION
    SELECT contest FROM placed_seats WHERE person IS NOT NULL GROUP BY contest, person HAVING count(*) > 1
),
chosen AS (SELECT * FROM placed_seats SEMI JOIN compared USING (contest)),
against AS (
    SELECT a.contest, a.seat, avg(CASE WHEN a.place < b.place THEN 1 WHEN a.place = b.place THEN 0.5 ELSE 0 END) AS share,
           CASE WHEN bool_or(b.place < a.place) THEN 0 WHEN bool_or(b.place = a.place) THEN 1 ELSE 2 END AS verdict
    FROM chosen a JOIN (SELECT contest, unit, min(place) AS place, list(person) AS people FROM chosen GROUP BY ALL) b
        ON a.contest = b.contest AND a.unit <> b.unit
    WHERE NOT coalesce(list_contains(b.people, a.person), false)
    GROUP BY a.contest, a.seat
)
SELECT s.* EXCLUDE (whole_share) REPLACE (person::people AS person), whole_share AS share,
       (CASE WHEN place > 1 THEN 0 WHEN whole_share < 1 THEN 1 ELSE 2 END)::TINYINT AS verdict, 1::TINYINT AS nth
FROM placed_seats s ANTI JOIN compared USING (contest)
UNION ALL
SELECT s.* EXCLUDE (whole_share) REPLACE (s.person::people AS person), a.share, a.verdict::TINYINT,
       row_number() OVER (PARTITION BY s.contest, coalesce(s.person, s.seat::VARCHAR) ORDER BY s.seat)::TINYINT
FROM chosen s LEFT JOIN against a USING (contest, seat);

DROP TABLE placed_seats;
