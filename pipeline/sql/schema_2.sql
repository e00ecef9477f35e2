-- Version 2: results, positions and lists of pieces without a game; games played with another set of pieces; codes of
-- warnings; corrections of headers and results; aliases of players.

-- A row for every record that was found, also where another file says the same: `id` is of the content, 32 hexadecimal
-- digits. `seen_no` orders the records of the library as they were found.
CREATE TABLE results (
    source        VARCHAR,
    digest        VARCHAR NOT NULL,   -- of the file's bytes, 32 hexadecimal digits
    record        INTEGER NOT NULL,   -- from 1
    line          INTEGER,
    format        VARCHAR,
    variant       VARCHAR,            -- null: the source does not say it
    id            VARCHAR NOT NULL,
    key           VARCHAR,            -- the source's own name of the game; null: it has none
    players       VARCHAR[],          -- by seat, as the following two
    scores        INTEGER[],          -- as the source writes them; empty: unknown
    places        TINYINT[],          -- from 1, shared on ties; empty: unknown
    margin        INTEGER,            -- of the first of two seats over the second
    plies         INTEGER,            -- placements
    passes        INTEGER,
    unfinished    BOOLEAN,
    headers       VARCHAR,            -- JSON object as read
    warnings      VARCHAR[],
    warning_codes VARCHAR[],          -- of the warnings, one by one
    game_no       BIGINT,             -- the game of the library that it is the result of; null: none for sure
    batch         INTEGER NOT NULL,
    seen_no       BIGINT NOT NULL
);

CREATE TABLE positions (
    source        VARCHAR,
    digest        VARCHAR NOT NULL,
    record        INTEGER NOT NULL,
    line          INTEGER,
    format        VARCHAR,
    variant       VARCHAR NOT NULL,
    id            VARCHAR NOT NULL,
    position      VARCHAR NOT NULL,   -- position text
    players       VARCHAR[],
    headers       VARCHAR,
    warnings      VARCHAR[],
    warning_codes VARCHAR[],
    batch         INTEGER NOT NULL,
    seen_no       BIGINT NOT NULL
);

CREATE TABLE piece_lists (
    source        VARCHAR,
    digest        VARCHAR NOT NULL,
    record        INTEGER NOT NULL,
    line          INTEGER,
    format        VARCHAR,
    variant       VARCHAR,            -- null: the source does not say it
    id            VARCHAR NOT NULL,
    pieces        VARCHAR[],          -- in order of play: colour, colon, piece
    players       VARCHAR[],
    headers       VARCHAR,
    warnings      VARCHAR[],
    warning_codes VARCHAR[],
    batch         INTEGER NOT NULL,
    seen_no       BIGINT NOT NULL
);

ALTER TABLE games ADD COLUMN foreign_pieces BOOLEAN DEFAULT false;  -- played with another set of pieces
ALTER TABLE sightings ADD COLUMN foreign_pieces BOOLEAN DEFAULT false;  -- as the game would have it, see date_text
ALTER TABLE sightings ADD COLUMN warning_codes VARCHAR[];  -- of the warnings, one by one
UPDATE sightings SET warning_codes = list_transform(warnings, lambda warning: 'unknown');
ALTER TABLE sightings ADD COLUMN declared_by VARCHAR;  -- digest of the file of results that declared it; null: the record

ALTER TABLE batches ADD COLUMN foreign_pieces BIGINT DEFAULT 0;  -- of stored: played with another set of pieces
ALTER TABLE batches ADD COLUMN results BIGINT DEFAULT 0;      -- results without moves that were found
ALTER TABLE batches ADD COLUMN positions BIGINT DEFAULT 0;    -- positions that were found
ALTER TABLE batches ADD COLUMN piece_lists BIGINT DEFAULT 0;  -- lists of pieces that were found
ALTER TABLE batches ADD COLUMN known_fragments BIGINT DEFAULT 0;  -- of these three: what was there already

-- Corrections of a game's headers and result, in the order in which they apply. The record as read stays.
CREATE TABLE edits (
    edit  INTEGER NOT NULL,           -- from 1
    id    VARCHAR NOT NULL,           -- of the game
    field VARCHAR NOT NULL,
    old   VARCHAR,                    -- null: there was none
    value VARCHAR,                    -- null: taken away
    made  TIMESTAMP,                  -- UTC
    note  VARCHAR
);

-- Portions of the features that the tables `heat` and `ply_sums` have the sums of.
CREATE TABLE measure_portions (
    mark     VARCHAR NOT NULL,        -- of all that goes into the sums: while it stays the same, so do they
    heat     BIGINT,                  -- partitions with the sums; null: nothing counts
    ply_sums BIGINT
);

-- Names of one person; what is not listed is a person's name itself.
CREATE TABLE aliases (
    name   VARCHAR NOT NULL,          -- as records spell it
    player VARCHAR NOT NULL
);
