-- As the tables of SQLite. Texts compare byte by byte, as SQLite's do, so that lists have the same order
-- whatever the locale of the cluster. No index but those of the keys, for the same reason as there.
CREATE TABLE users (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    username TEXT COLLATE "C" NOT NULL UNIQUE,
    password_hash TEXT NOT NULL,
    salt TEXT NOT NULL,
    created_at TEXT COLLATE "C" NOT NULL,
    updated_at TEXT COLLATE "C" NOT NULL
);

CREATE TABLE expenses (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    price_cents BIGINT NOT NULL,
    date TEXT COLLATE "C" NOT NULL,
    resolved BOOLEAN NOT NULL,
    user_id TEXT COLLATE "C" REFERENCES users (id) ON DELETE SET NULL,
    created_at TEXT COLLATE "C" NOT NULL,
    updated_at TEXT COLLATE "C" NOT NULL
);

CREATE TABLE tags (name TEXT COLLATE "C" NOT NULL PRIMARY KEY);

CREATE TABLE expense_tags (
    expense_id TEXT COLLATE "C" NOT NULL REFERENCES expenses (id) ON DELETE CASCADE,
    tag_name TEXT COLLATE "C" NOT NULL REFERENCES tags (name) ON DELETE CASCADE,
    created_at TEXT COLLATE "C" NOT NULL,
    updated_at TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (expense_id, tag_name)
);
