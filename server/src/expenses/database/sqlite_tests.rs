//! Databases that cannot be used, and what is left of them.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{fs, path::PathBuf, time::Duration};

use sqlx::{Connection, Executor, SqliteConnection, SqlitePool, sqlite::SqliteConnectOptions};
use tempfile::TempDir;

use super::{
    super::{DatabaseLocation, ExpenseError, ExpenseFilter, ExpenseStore, HouseholdSize},
    DatabaseError, Pool, Statement,
    fill::fill,
};

/// A file that is gone with the test.
struct Place {
    folder: TempDir,
}

impl Place {
    fn new() -> Self {
        Self {
            folder: TempDir::new().unwrap(),
        }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("expenses.db")
    }

    fn location(&self) -> DatabaseLocation {
        DatabaseLocation::File(self.path())
    }

    async fn open(&self) -> Result<ExpenseStore, DatabaseError> {
        ExpenseStore::open(&self.location(), 2, HouseholdSize::default()).await
    }

    /// Opens, and closes so that everything is in the one file.
    async fn made(self) -> Self {
        self.open().await.unwrap().pool.close().await;
        self
    }

    async fn connection(&self) -> SqliteConnection {
        let options = SqliteConnectOptions::new().filename(self.path());
        let options = options.create_if_missing(true);
        SqliteConnection::connect_with(&options).await.unwrap()
    }

    async fn execute(&self, sql: &'static str) {
        let mut connection = self.connection().await;
        connection.execute(sql).await.unwrap();
        connection.close().await.unwrap();
    }

    /// Asserts that opening is refused with these words and leaves the file as it was.
    async fn assert_refused(&self, words: &str) {
        let before = fs::read(self.path()).unwrap();
        let message = self.open().await.unwrap_err().to_string();
        assert!(message.contains(words), "{message}");
        assert!(message.contains(self.path().to_str().unwrap()), "{message}");
        assert!(
            fs::read(self.path()).unwrap() == before,
            "the file was changed"
        );
    }
}

async fn count(store: &ExpenseStore) -> usize {
    let filter = ExpenseFilter {
        limit: 10_000,
        ..ExpenseFilter::default()
    };
    store.expenses(&filter).await.unwrap().len()
}

#[tokio::test]
async fn a_file_is_made_once_and_kept() {
    let place = Place::new().made().await;
    place
        .execute("DELETE FROM expenses WHERE price_cents < 50000")
        .await;
    place.execute("DELETE FROM users").await;
    let store = place.open().await.unwrap();
    let kept = count(&store).await;
    assert!((2_000..3_000).contains(&kept), "{kept}");
    assert_eq!(store.users().await.unwrap(), []);
    let mode = store.rows(Statement::new("PRAGMA journal_mode")).await;
    assert_eq!(mode.unwrap()[0].try_get::<&str>(0).unwrap(), "wal");
}

#[tokio::test]
async fn another_kind_of_file_is_refused() {
    let place = Place::new();
    fs::write(place.path(), "not a database at all\n".repeat(100)).unwrap();
    place.assert_refused("is not an SQLite database").await;
}

#[tokio::test]
async fn the_database_of_another_program_is_refused() {
    let place = Place::new();
    place.execute("CREATE TABLE notes (text TEXT)").await;
    place
        .assert_refused("holds tables of another program")
        .await;
}

#[tokio::test]
async fn a_damaged_database_is_refused() {
    let place = Place::new().made().await;
    let mut bytes = fs::read(place.path()).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 8_192].fill(0xa5);
    fs::write(place.path(), bytes).unwrap();
    place.assert_refused("is damaged").await;
}

#[tokio::test]
async fn a_newer_schema_is_refused() {
    let place = Place::new().made().await;
    let newer = "INSERT INTO _sqlx_migrations SELECT 7, 'later', installed_on, success, checksum, \
                 execution_time FROM _sqlx_migrations";
    place.execute(newer).await;
    place
        .assert_refused("the schema 7 of a newer version")
        .await;
}

#[tokio::test]
async fn another_form_of_the_schema_is_refused() {
    let place = Place::new().made().await;
    place
        .execute("UPDATE _sqlx_migrations SET checksum = x'00'")
        .await;
    place.assert_refused("another form of schema 1").await;
}

#[tokio::test]
async fn a_locked_database_is_refused_and_opens_when_it_is_free() {
    let place = Place::new().made().await;
    let mut other = place.connection().await;
    other
        .execute("PRAGMA locking_mode = EXCLUSIVE")
        .await
        .unwrap();
    other.execute("BEGIN EXCLUSIVE").await.unwrap();
    let soon = Duration::from_millis(20);
    let refused = ExpenseStore::open_within(&place.location(), 2, soon).await;
    let message = refused.unwrap_err().to_string();
    assert!(
        message.contains("is locked by another process"),
        "{message}"
    );
    other.execute("ROLLBACK").await.unwrap();
    other.close().await.unwrap();
    assert_eq!(count(&place.open().await.unwrap()).await, 5_000);
}

#[tokio::test]
async fn connections_that_open_at_once_do_not_lock_each_other_out() {
    let place = Place::new().made().await;
    for _ in 0..30 {
        // As of another program, so that all of them find a file that must be switched.
        place.execute("PRAGMA journal_mode = DELETE").await;
        let opened = ExpenseStore::open(&place.location(), 8, HouseholdSize::default()).await;
        opened.unwrap().pool.close().await;
    }
}

#[tokio::test]
async fn a_folder_that_does_not_exist_is_named() {
    let location = DatabaseLocation::File("/nowhere/expenses.db".into());
    let error = ExpenseStore::open(&location, 1, HouseholdSize::default())
        .await
        .unwrap_err();
    let message = error.to_string();
    assert!(
        message.contains("/nowhere/expenses.db can neither be opened nor made"),
        "{message}"
    );
}

/// `SQLite` gives the same error when its own bound of pages is reached as when the disk is full.
#[tokio::test]
async fn without_room_the_household_is_generated_not_at_all() {
    let place = Place::new().made().await;
    place.execute("DELETE FROM expenses").await;
    place.execute("DELETE FROM users").await;
    place.execute("VACUUM").await;
    let options = SqliteConnectOptions::new().filename(place.path());
    let options = options.pragma("max_page_count", "40");
    let pool = Pool::Sqlite(SqlitePool::connect_with(options).await.unwrap());
    let failed = fill(&pool, HouseholdSize::default()).await.unwrap_err();
    let message = DatabaseError::from_sqlx("here.db", &failed).to_string();
    assert!(
        message.starts_with("there is no room left for the database here.db"),
        "{message}"
    );
    pool.close().await;
    let mut connection = place.connection().await;
    let users: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM users")
        .fetch_one(&mut connection)
        .await
        .unwrap();
    assert_eq!(users, 0);
    connection.close().await.unwrap();
    assert_eq!(count(&place.open().await.unwrap()).await, 5_000);
}

#[tokio::test]
async fn a_password_is_checked() {
    let store = ExpenseStore::open(&DatabaseLocation::Memory, 1, HouseholdSize::default())
        .await
        .unwrap();
    let user = store.log_in("test0", "test".to_owned()).await.unwrap();
    assert_eq!(user, store.users().await.unwrap()[0]);
    for (name, password) in [("test0", "Test"), ("test500", "test")] {
        let refused = store.log_in(name, password.to_owned()).await.unwrap_err();
        assert!(
            matches!(refused, ExpenseError::WrongCredentials { .. }),
            "{refused}"
        );
    }
}

#[tokio::test]
async fn tags_come_with_their_expense_and_do_not_shorten_the_list() {
    let store = ExpenseStore::open(&DatabaseLocation::Memory, 1, HouseholdSize::default())
        .await
        .unwrap();
    let filter = ExpenseFilter {
        limit: 3,
        ..ExpenseFilter::default()
    };
    let plain = store.expenses(&filter).await.unwrap();
    for name in ["food", "car"] {
        let mut tag = Statement::new("INSERT INTO tags VALUES (");
        tag.push_bind(name).push(")");
        store.rows(tag).await.unwrap();
        let mut link = Statement::new("INSERT INTO expense_tags VALUES (");
        link.push_list([(&plain[1].id).into(), name.into()])
            .push(", '', '')");
        store.rows(link).await.unwrap();
    }
    let tagged = store.expenses(&filter).await.unwrap();
    assert_eq!(tagged.len(), 3);
    assert_eq!(tagged[1].tags, ["car", "food"]);
    assert_eq!((&tagged[0], &tagged[2]), (&plain[0], &plain[2]));
    let gone = Statement::new("DELETE FROM users");
    store.rows(gone).await.unwrap();
    assert_eq!(store.expense(&plain[1].id).await.unwrap().payee, None);
}
