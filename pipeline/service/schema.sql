-- What the service keeps, version 1. Times are seconds since 1970 in UTC. JSON is text.
CREATE TABLE IF NOT EXISTS jobs (
    id        TEXT PRIMARY KEY,
    number    INTEGER NOT NULL UNIQUE,  -- from 1, in the order of arrival
    kind      TEXT NOT NULL,            -- import, analysis, judge, measure
    state     TEXT NOT NULL,            -- queued, running, done, failed, cancelled
    priority  INTEGER NOT NULL,         -- greater first
    spec      TEXT NOT NULL,            -- JSON: what is to be done
    done      INTEGER NOT NULL,         -- units, of total
    total     INTEGER,                  -- null: not known
    message   TEXT,                     -- why it failed, or what it waits for
    code      TEXT,
    outcome   TEXT,                     -- JSON: what it did
    created   REAL NOT NULL,
    started   REAL,
    finished  REAL,
    attempts  INTEGER NOT NULL,         -- times that a worker began it
    cancel    INTEGER NOT NULL          -- somebody asked to cancel it
);
CREATE INDEX IF NOT EXISTS jobs_waiting ON jobs (state, kind, priority, number);

CREATE TABLE IF NOT EXISTS events (
    job   TEXT NOT NULL,
    seq   INTEGER NOT NULL,             -- from 1 within the job
    type  TEXT NOT NULL,                -- state, progress
    data  TEXT NOT NULL,                -- JSON
    PRIMARY KEY (job, seq)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS results (
    job   TEXT NOT NULL,
    unit  INTEGER NOT NULL,             -- from 0 within the job
    data  TEXT NOT NULL,                -- JSON: the one final answer
    PRIMARY KEY (job, unit)
);

CREATE TABLE IF NOT EXISTS cancelled_queries (
    job    TEXT NOT NULL,
    query  TEXT NOT NULL,
    PRIMARY KEY (job, query)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS keys (
    id       TEXT PRIMARY KEY,
    name     TEXT NOT NULL,
    scope    TEXT NOT NULL,             -- read, write (which may read as well)
    digest   TEXT NOT NULL,             -- SHA-256 of the secret, hexadecimal
    created  REAL NOT NULL,
    revoked  REAL
);
