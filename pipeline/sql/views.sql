-- What a reader sees. `library` is the newest snapshot; `moves_raw` and `passes_raw` read its partitions.
-- They are made when a reader opens and not stored: stored ones would need paths, and a library can be moved.
-- `variants` (set_cells: cells of all pieces of one colour), `colour_names` and `scorings` are filled from the engine.
-- `scorings`: points for every cell placed, for every cell left, for everything placed, and for everything placed with
-- the single cell last (in the place of the former, not on top of it).

CREATE VIEW games AS FROM library.games;
CREATE VIEW colours AS FROM library.colours;
CREATE VIEW sightings AS FROM library.sightings;
CREATE VIEW quarantine AS FROM library.quarantine;
CREATE VIEW batches AS FROM library.batches;
CREATE VIEW repeats AS FROM library.repeats;
CREATE VIEW partitions AS FROM library.partitions;
CREATE VIEW library_version AS FROM library.library_version;

CREATE VIEW edits AS FROM library.edits;
CREATE VIEW aliases AS FROM library.aliases;

-- `player` is the name as written (or as an edit has it), `person` the player that the aliases say it is.
CREATE VIEW seats AS
SELECT s.*, coalesce(a.player, s.player) AS person
FROM library.seats s LEFT JOIN library.aliases a ON a.name = s.player;

-- Every record of a result, a position or a list of pieces; and each of these once, as its first record has it, with
-- the number of records that say it. Results that their source does not name are told apart by their content alone:
-- two alike in one file are two results, and the same two in another file are these two again.
CREATE VIEW result_sightings AS FROM library.results;
CREATE VIEW position_sightings AS FROM library.positions;
CREATE VIEW piece_list_sightings AS FROM library.piece_lists;

CREATE VIEW results AS
SELECT * EXCLUDE (nth, game_no), max(game_no) OVER same AS game_no, count(*) OVER same AS sightings
FROM (
    SELECT *, CASE WHEN key IS NULL THEN row_number() OVER (PARTITION BY id, digest ORDER BY record) ELSE 1 END AS nth
    FROM library.results
)
WINDOW same AS (PARTITION BY id, nth)
QUALIFY row_number() OVER (PARTITION BY id, nth ORDER BY seen_no) = 1;

CREATE VIEW positions AS
SELECT *, count(*) OVER (PARTITION BY id) AS sightings FROM library.positions
QUALIFY row_number() OVER (PARTITION BY id ORDER BY seen_no) = 1;

CREATE VIEW piece_lists AS
SELECT *, count(*) OVER (PARTITION BY id) AS sightings FROM library.piece_lists
QUALIFY row_number() OVER (PARTITION BY id ORDER BY seen_no) = 1;

-- A row for every legal placement; position_key (32 hexadecimal digits) is of the position after the ply.
CREATE VIEW moves AS
SELECT game_no, ply, turn, round, colour, seat, piece, placement, move, string_split(move, ',') AS cells,
       printf('%016x%016x', key_hi, key_lo) AS position_key
FROM moves_raw;

-- A row for every pass, inferred ones included.
CREATE VIEW passes AS FROM passes_raw;

-- Features, as `cornerwise measures` defines them, for games that `cornerwise features` has measured. A row for every
-- game, ply (placements before; 0 the start) and colour. Cells: corner_liberties, live_corner_liberties, reach, exclusive,
-- locked_cells, block_liberties, corner_access_1 to _6 (_5 and _6 null on squares). Placements: mobility,
-- block_mobility. Pieces: fitting_pieces; fitting_mask has bit i for piece i. `player` is null for a shared colour.
CREATE VIEW features AS
SELECT f.game_no, g.variant, f.ply, f.colour, n.colour_name, c.seat, s.person AS player, f.* EXCLUDE (game_no, ply, colour)
FROM features_raw f
JOIN library.games g USING (game_no)
JOIN colour_names n ON n.variant = g.variant AND n.colour = f.colour
JOIN library.colours c ON c.game_no = f.game_no AND c.colour = f.colour
LEFT JOIN seats s ON s.game_no = c.game_no AND s.seat = c.seat;

-- A row for every game and ply: cells that are contested, dead and occupied; whether the move of the ply placed four
-- cells where a piece of five fits around them (null at ply 0 and on triangles). `mover` made the ply; null at ply 0.
CREATE VIEW position_features AS
SELECT p.game_no, g.variant, p.ply, p.mover, n.colour_name AS mover_name, p.contested, p.dead, p.occupied, p.four_inside_five
FROM feature_plies_raw p
JOIN library.games g USING (game_no)
LEFT JOIN colour_names n ON n.variant = g.variant AND n.colour = p.mover;

-- A row for every game and colour: the ply at which it first covered a cell of the centre, 0 by its setup, null never.
CREATE VIEW centre_contacts AS
SELECT f.game_no, g.variant, f.colour, n.colour_name, f.ply
FROM (
    SELECT game_no, unnest(range(1, len(centre_contact) + 1))::UTINYINT AS colour, unnest(centre_contact) AS ply
    FROM feature_games_raw
) f
JOIN library.games g USING (game_no)
JOIN colour_names n ON n.variant = g.variant AND n.colour = f.colour;

-- Judged moves, as `cornerwise analyse` has judged them and `cornerwise analyse --formulas` says. A row for every placement
-- of a judged game: `played` and `best` are placements; lists are by seat, shares from 0 to 1 and points of the game's
-- scoring table, before the move (V), after the best one (B) and after it (V of the next position); losses are those of
-- the mover, errors standard errors, accuracy from 0 to 100 and null where nothing was decided. `player` is the mover.
CREATE VIEW analysed_moves AS
SELECT p.game_no, g.variant, p.ply, p.colour, n.colour_name, p.seat, s.person AS player,
       p.* EXCLUDE (game_no, ply, colour, seat)
FROM analysed_plies_raw p
JOIN library.games g USING (game_no)
JOIN colour_names n ON n.variant = g.variant AND n.colour = p.colour
LEFT JOIN seats s ON s.game_no = p.game_no AND s.seat = p.seat;

-- A row for every judged game: budget, seed, engine and version of the formulas; value of its first and last position and
-- its result (null: it has none), lists by seat; plies after which everything is proven (null: nothing is).
CREATE VIEW analyses AS
SELECT a.game_no, g.id, g.variant, a.* EXCLUDE (game_no, fingerprint)
FROM analysed_games_raw a JOIN library.games g USING (game_no);

-- A row for every game, colour and scoring table. Points of a stopped or unfinished game are interim.
CREATE VIEW scores AS
SELECT c.game_no, c.colour, c.seat, t.scoring,
       CAST(c.cells_placed * t.per_cell_placed
            + (v.set_cells - c.cells_placed) * t.per_cell_left
            + CASE WHEN NOT c.all_placed THEN 0 WHEN c.single_last THEN t.single_last ELSE t.all_placed END
            AS INTEGER) AS points
FROM library.colours c
JOIN library.games g USING (game_no)
JOIN variants v ON v.variant = g.variant
CROSS JOIN scorings t;

-- A row for every game, seat and scoring table: the points of the seat's colours, and those of its team, which are
-- the same where nobody plays in teams. A shared colour counts for nobody.
CREATE VIEW seat_scores AS
WITH by_seat AS (
    SELECT s.game_no, s.seat, s.team, p.scoring, CAST(sum(p.points) AS INTEGER) AS points
    FROM library.seats s JOIN scores p ON p.game_no = s.game_no AND p.seat = s.seat
    GROUP BY s.game_no, s.seat, s.team, p.scoring
),
by_team AS (
    SELECT game_no, team, scoring, CAST(sum(points) AS INTEGER) AS points
    FROM by_seat WHERE team IS NOT NULL GROUP BY game_no, team, scoring
)
SELECT b.game_no, b.seat, b.team, b.scoring, b.points, coalesce(t.points, b.points) AS team_points
FROM by_seat b LEFT JOIN by_team t USING (game_no, team, scoring);

-- A row for every game, for people: points by seat in the game's own scoring table.
CREATE VIEW games_view AS
WITH own_scores AS (
    SELECT p.game_no, p.seat, CAST(sum(p.points) AS INTEGER) AS points
    FROM library.games g JOIN scores p ON p.game_no = g.game_no AND p.scoring = g.scoring
    WHERE p.seat IS NOT NULL
    GROUP BY p.game_no, p.seat
),
-- No game has more than four seats; this is several times faster than list(... ORDER BY seat).
by_seat AS (
    SELECT s.game_no,
           [max(s.player) FILTER (s.seat = 1), max(s.player) FILTER (s.seat = 2),
            max(s.player) FILTER (s.seat = 3), max(s.player) FILTER (s.seat = 4)][:max(s.seat)] AS players,
           [max(p.points) FILTER (s.seat = 1), max(p.points) FILTER (s.seat = 2),
            max(p.points) FILTER (s.seat = 3), max(p.points) FILTER (s.seat = 4)][:max(s.seat)] AS points
    FROM library.seats s LEFT JOIN own_scores p USING (game_no, seat)
    GROUP BY s.game_no
),
seen AS (SELECT game_no, count(*) AS sightings FROM library.sightings GROUP BY game_no)
SELECT g.id, g.game_no, g.variant, g.date_text AS date, g.event, g.event_round, b.players, b.points, g.scoring,
       g.outcome, g.winners, g.plies, g.passes, g.termination,
       list_filter([
           CASE WHEN g.illegal THEN 'illegal' END,
           CASE WHEN g.irregular THEN 'irregular' END,
           CASE WHEN g.unfinished THEN 'unfinished' END,
           CASE WHEN g.empty THEN 'empty' END,
           CASE WHEN g.mismatch THEN 'mismatch' END,
           CASE WHEN g.foreign_pieces THEN 'foreign_pieces' END,
           CASE WHEN g.id IN (SELECT id FROM library.edits) THEN 'edited' END
       ], lambda flag: flag IS NOT NULL) AS flags,
       coalesce(n.sightings, 0) AS sightings
FROM library.games g
LEFT JOIN by_seat b USING (game_no)
LEFT JOIN seen n USING (game_no);
