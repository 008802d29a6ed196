-- Moments are RFC 3339 texts of 24 characters in UTC, which sort as they follow in time. No index but
-- those of the keys: every list of expenses reads and sorts all of them, as the thesis' server does.
CREATE TABLE users (
    id TEXT NOT NULL PRIMARY KEY,
    username TEXT NOT NULL UNIQUE,
    password_hash TEXT NOT NULL,
    salt TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
);

CREATE TABLE expenses (
    id TEXT NOT NULL PRIMARY KEY,
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    price_cents BIGINT NOT NULL,
    date TEXT NOT NULL,
    resolved BOOLEAN NOT NULL,
    user_id TEXT REFERENCES users (id) ON DELETE SET NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
);

CREATE TABLE tags (name TEXT NOT NULL PRIMARY KEY);

CREATE TABLE expense_tags (
    expense_id TEXT NOT NULL REFERENCES expenses (id) ON DELETE CASCADE,
    tag_name TEXT NOT NULL REFERENCES tags (name) ON DELETE CASCADE,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    PRIMARY KEY (expense_id, tag_name)
);
