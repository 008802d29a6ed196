//! Databases of a server that cannot be used: nothing in them is changed, and the words say what to do.

use http::StatusCode;
use sqlx::{Connection, Executor, PgConnection};

use super::{
    cluster::Cluster,
    database::{cluster, fresh},
    household::{Answer, Household},
    ledger::{count, household, write},
};

/// Asserts that opening is refused with these words.
async fn assert_refused(address: &str, words: &str) {
    let error = Household::refused(&format!("--expenses={address}")).await;
    assert!(error.contains(words), "{error}");
}

/// A database with a name of its own, made by these statements in it.
async fn made(database: &str, sql: &str) -> String {
    let cluster = cluster().await;
    let make = format!("CREATE DATABASE {database}");
    cluster.execute("postgres", &make).await;
    cluster.execute(database, sql).await;
    cluster.address(database)
}

fn name_of(address: &str) -> &str {
    let (address, _) = address.split_once('?').unwrap();
    address.rsplit_once('/').unwrap().1
}

#[tokio::test]
async fn a_server_that_does_not_run_is_named() {
    for address in [
        "postgres://anna:secret@127.0.0.1:1/household",
        "postgres://anna:secret@localhost/household?host=/nowhere",
    ] {
        let error = Household::refused(&format!("--expenses={address}")).await;
        assert!(error.contains("cannot be reached"), "{error}");
        assert!(error.contains("household of anna"), "{error}");
        assert!(!error.contains("secret"), "{error}");
    }
}

#[tokio::test]
async fn a_database_that_does_not_exist_is_named() {
    let address = cluster().await.address("nothing");
    assert_refused(&address, "does not exist; make it with `createdb`").await;
}

#[tokio::test]
async fn a_user_without_a_right_is_named() {
    let cluster = cluster().await;
    let make = "CREATE ROLE locked_out NOLOGIN; CREATE ROLE crowded LOGIN CONNECTION LIMIT 0; \
                CREATE ROLE reader LOGIN";
    cluster.execute("postgres", make).await;
    let database = fresh().await;
    let database = name_of(&database);
    for (user, words) in [
        ("locked_out", "does not admit this user"),
        ("crowded", "no connection to the database"),
        ("reader", "may not be written"),
    ] {
        assert_refused(&cluster.address_of(user, database), words).await;
    }
}

#[tokio::test]
async fn the_database_of_another_program_is_refused() {
    let address = made("other_program", "CREATE TABLE notes (text TEXT)").await;
    assert_refused(&address, "holds tables of another program").await;
}

#[tokio::test]
async fn an_encoding_without_every_character_is_refused() {
    let cluster = cluster().await;
    let make = "CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0";
    cluster.execute("postgres", make).await;
    assert_refused(&cluster.address("latin"), "has the encoding LATIN1").await;
}

#[tokio::test]
async fn a_newer_schema_and_another_form_of_it_are_refused() {
    let address = fresh().await;
    let newer = "INSERT INTO _sqlx_migrations SELECT 7, 'later', installed_on, success, checksum, \
                 execution_time FROM _sqlx_migrations";
    cluster().await.execute(name_of(&address), newer).await;
    assert_refused(&address, "the schema 7 of a newer version").await;
    let other = "DELETE FROM _sqlx_migrations WHERE version = 7; \
                 UPDATE _sqlx_migrations SET checksum = ''";
    cluster().await.execute(name_of(&address), other).await;
    assert_refused(&address, "another form of schema 1").await;
}

#[tokio::test]
async fn a_database_that_may_only_be_read_is_refused_at_the_start_and_when_it_becomes_so() {
    let address = fresh().await;
    let household = household(&address).await;
    let database = name_of(&address);
    let cluster = cluster().await;
    let read_only = format!("ALTER DATABASE {database} SET default_transaction_read_only = on");
    cluster.execute(database, &read_only).await;
    assert_refused(&address, "may not be written (cannot execute").await;

    cluster
        .execute("postgres", &end_connections(database))
        .await;
    let refused = answer_after_a_break(&household).await;
    assert_eq!(refused.json()["code"], "DATABASE_READ_ONLY");
    assert_eq!(count(&household).await, 5_000);
}

#[tokio::test]
async fn connections_that_the_server_ends_are_made_again() {
    let address = fresh().await;
    let household = household(&address).await;
    let end = end_connections(name_of(&address));
    cluster().await.execute("postgres", &end).await;
    let answer = answer_after_a_break(&household).await;
    assert_eq!(answer.status, StatusCode::CREATED);
}

fn end_connections(database: &str) -> String {
    format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{database}'")
}

/// Each of the four connections may be found to be broken once.
async fn answer_after_a_break(household: &Household) -> Answer {
    for _ in 0..4 {
        let answer = write(household, 1).await;
        if answer.status != StatusCode::SERVICE_UNAVAILABLE {
            return answer;
        }
        assert_eq!(answer.json()["code"], "DATABASE_UNREACHABLE");
        let detail = answer.json()["detail"].take();
        assert!(detail.as_str().unwrap().contains("broke off"), "{detail}");
    }
    write(household, 1).await
}

#[tokio::test]
async fn a_table_that_another_session_locks_is_waited_for_and_then_refused() {
    let address = fresh().await;
    let household = household(&address).await;
    let mut other = PgConnection::connect(&address).await.unwrap();
    other.execute("BEGIN; LOCK TABLE expenses").await.unwrap();
    let refused = write(&household, 1).await;
    assert_eq!(refused.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(refused.json()["code"], "DATABASE_LOCKED");
    other.execute("ROLLBACK").await.unwrap();
    assert_eq!(write(&household, 1).await.status, StatusCode::CREATED);
}

#[tokio::test]
async fn two_servers_that_start_at_once_fill_a_database_once() {
    let address = made("twice", "").await;
    let (one, other) = tokio::join!(household(&address), household(&address));
    for household in [one, other] {
        assert_eq!(count(&household).await, 5_000);
    }
}

#[tokio::test]
async fn a_server_that_falls_is_named_in_the_answer() {
    let mut cluster = Cluster::start();
    let household = household(&cluster.address("postgres")).await;
    assert_eq!(write(&household, 1).await.status, StatusCode::CREATED);
    cluster.end();
    for _ in 0..5 {
        let answer = write(&household, 1).await;
        assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(answer.json()["code"], "DATABASE_UNREACHABLE");
    }
}
