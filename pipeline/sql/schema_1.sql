-- The catalogue of a library, version 1. Written by one process at a time, copied for readers.
-- No primary keys: uniqueness is by construction (see check.sql for the proof).
-- Plies, turns and rounds count from 1, seats and colours from 1, records in a file from 1.

CREATE TABLE library_version (
    version INTEGER NOT NULL,     -- number of this schema
    program VARCHAR NOT NULL,     -- program version that brought the library to it
    since   TIMESTAMP NOT NULL    -- UTC
);

-- One row. A unit is a piece of work of an import; a game's number is unit * 2^20 + index in the unit.
CREATE TABLE library_state (
    revision  BIGINT NOT NULL,    -- goes up with every change; the snapshot pointer names the one it shows
    next_unit BIGINT NOT NULL,    -- never given twice, not even after an undo
    next_file BIGINT NOT NULL     -- number of the next partition, of whatever table
);
INSERT INTO library_state VALUES (0, 1, 1);

CREATE TABLE batches (
    batch       INTEGER NOT NULL, -- from 1
    started     TIMESTAMP NOT NULL,   -- UTC
    finished    TIMESTAMP NOT NULL,   -- UTC
    command     VARCHAR,
    options     VARCHAR,          -- JSON object
    program     VARCHAR,          -- program version
    games       BIGINT,           -- records found = stored + duplicates + refused
    stored      BIGINT,           -- new games
    duplicates  BIGINT,           -- records whose game was there already
    refused     BIGINT,           -- records that cannot be read as a game
    illegal     BIGINT,           -- of stored: the replay stops
    irregular   BIGINT,           -- of stored
    unfinished  BIGINT,           -- of stored
    empty       BIGINT,           -- of stored: no move
    quarantined BIGINT,           -- refused + illegal
    sightings   BIGINT,           -- sightings added
    plies       BIGINT,           -- legal placements of stored games
    details     VARCHAR,          -- JSON object: files, other files, unreadable files
    undone      TIMESTAMP         -- UTC; null: in force
);

CREATE TABLE games (
    game_no         BIGINT NOT NULL,
    id              VARCHAR NOT NULL,     -- 32 hexadecimal digits, the same in every library
    variant         VARCHAR NOT NULL,
    rules           VARCHAR,      -- JSON object: settings that differ from the variant's default
    scoring         VARCHAR,      -- scoring table that decides
    format          VARCHAR,      -- of the first sighting
    date_text       VARCHAR,
    year            SMALLINT,
    month           TINYINT,
    day             TINYINT,
    event           VARCHAR,
    event_round     VARCHAR,
    plies           SMALLINT,     -- legal placements
    recorded_plies  SMALLINT,     -- all recorded placements
    turns           INTEGER,      -- turn of the last placement
    passes          INTEGER,      -- up to the last placement
    termination     VARCHAR,
    penalty_applied BOOLEAN,
    outcome         VARCHAR,      -- win, draw; null: none
    winners         TINYINT[],    -- seats in first place
    illegal         BOOLEAN,
    irregular       BOOLEAN,
    unfinished      BOOLEAN,
    empty           BOOLEAN,
    mismatch        BOOLEAN,      -- declared against computed result; null: nothing declared
    stop_ply        SMALLINT,
    stop_reason     VARCHAR,
    setup           VARCHAR       -- position text of the start; null: the empty board
);

CREATE TABLE seats (
    game_no   BIGINT NOT NULL,
    seat      TINYINT NOT NULL,
    player    VARCHAR,
    colours   TINYINT[],
    team      TINYINT,
    neutral   BOOLEAN,
    place     TINYINT,            -- shared on ties; null: unfinished, illegal or neutral
    share     DOUBLE,             -- by rank among n: 1 - (better + (tied - 1) / 2) / (n - 1); 1 the first, 0 the last
    out_cause VARCHAR,
    out_ply   SMALLINT
);

CREATE TABLE colours (
    game_no       BIGINT NOT NULL,
    colour        TINYINT NOT NULL,
    seat          TINYINT,        -- null: shared
    cells_placed  SMALLINT,       -- cells
    pieces_placed TINYINT,        -- pieces
    all_placed    BOOLEAN,
    single_last   BOOLEAN,
    blocked       BOOLEAN,        -- no legal move after the last placement
    passes        SMALLINT
);

CREATE TABLE sightings (
    game_no         BIGINT NOT NULL,
    id              VARCHAR NOT NULL,
    source          VARCHAR,
    digest          VARCHAR NOT NULL,     -- of the file's bytes, 32 hexadecimal digits
    record          INTEGER NOT NULL,
    line            INTEGER,
    format          VARCHAR,
    rules           VARCHAR,
    players         VARCHAR[],    -- by seat
    headers         VARCHAR,      -- JSON object as read
    declared        VARCHAR,      -- result as written
    declared_winner TINYINT,      -- seat; 0: a draw
    mismatch        BOOLEAN,
    rules_differ    BOOLEAN,      -- was read by other rules than the game, which has those of its first sighting
    warnings        VARCHAR[],
    whole           VARCHAR,      -- the record in our JSON form; null when moves, passes and headers rebuild it
    batch           INTEGER NOT NULL,
    seen_no         BIGINT NOT NULL,      -- number of the record, made like game_no: the smallest is the first sighting
    date_text       VARCHAR,      -- date and event as the game would have them, were this its first sighting
    year            SMALLINT,
    month           TINYINT,
    day             TINYINT,
    event           VARCHAR,
    event_round     VARCHAR
);

CREATE TABLE quarantine (
    source  VARCHAR,
    digest  VARCHAR NOT NULL,
    record  INTEGER NOT NULL,
    line    INTEGER,
    game_no BIGINT,               -- null: refused, no game
    id      VARCHAR,
    ply     SMALLINT,
    code    VARCHAR,
    message VARCHAR,
    text    VARCHAR,              -- beginning of the offending record
    batch   INTEGER NOT NULL
);

-- Files that a batch brought again: their sightings and quarantine rows are an earlier batch's, and this one's when
-- that is taken back.
CREATE TABLE repeats (
    batch  INTEGER NOT NULL,
    digest VARCHAR NOT NULL
);

CREATE TABLE partitions (
    kind       VARCHAR NOT NULL,  -- big table, and folder
    file       BIGINT NOT NULL,   -- number, and name: 000000012.parquet
    first_game BIGINT NOT NULL,   -- smallest and largest game_no in it
    last_game  BIGINT NOT NULL,
    rows       BIGINT NOT NULL,
    bytes      BIGINT NOT NULL
);

-- Partitions that older snapshots still list.
CREATE TABLE retired (
    kind     VARCHAR NOT NULL,
    file     BIGINT NOT NULL,
    snapshot BIGINT NOT NULL      -- number of the first snapshot that does without it
);
