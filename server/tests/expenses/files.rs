//! Files that fail while they are served: what was acknowledged stays.

use std::{fs, path::Path};

use http::StatusCode;
use serde_json::Value;
use sqlx::{Connection, Executor, SqliteConnection, sqlite::SqliteConnectOptions};
use tempfile::TempDir;

use super::{
    household::{Answer, Household},
    ledger::{count, household, write, write_until_refused, written},
    small_disk,
};

async fn open(file: &Path) -> Household {
    household(file.to_str().unwrap()).await
}

fn code(answer: &Answer) -> Value {
    answer.json()["code"].take()
}

#[tokio::test]
async fn on_a_full_disk_what_was_acknowledged_stays_and_the_rest_is_refused() {
    let test = "files::on_a_full_disk_what_was_acknowledged_stays_and_the_rest_is_refused";
    let Some(folder) = small_disk::enter(test, "5m") else {
        return;
    };
    let file = folder.join("expenses.db");
    let before = open(&file).await;
    let (mut acknowledged, refused) = write_until_refused(&before).await;
    assert_eq!(refused.status, StatusCode::INSUFFICIENT_STORAGE);
    assert_eq!(code(&refused), "DATABASE_FULL");
    let detail = refused.json()["detail"].take();
    assert!(
        detail.as_str().unwrap().contains("Free some space"),
        "{detail}"
    );
    assert!(acknowledged.len() > 100, "{}", acknowledged.len());
    assert_eq!(written(&before).await, acknowledged);

    // With the server gone as by a power cut, and again.
    let after = open(&file).await;
    assert_eq!(written(&after).await, acknowledged);
    small_disk::resize(&folder, "20m");
    assert_eq!(write(&after, 99_999).await.status, StatusCode::CREATED);
    assert_eq!(write(&before, 99_999).await.status, StatusCode::CREATED);
    acknowledged.extend([99_999; 2]);
    assert_eq!(written(&after).await, acknowledged);
}

#[tokio::test]
async fn a_disk_without_room_for_the_household_is_named_at_the_start() {
    let test = "files::a_disk_without_room_for_the_household_is_named_at_the_start";
    let Some(folder) = small_disk::enter(test, "1m") else {
        return;
    };
    let file = folder.join("expenses.db");
    let flag = format!("--expenses={}", file.display());
    let error = Household::refused(&flag).await;
    assert!(error.contains("there is no room left"), "{error}");
    small_disk::resize(&folder, "20m");
    assert_eq!(count(&open(&file).await).await, 5_000);
}

#[tokio::test]
async fn while_another_process_writes_for_long_a_change_is_refused_and_reads_go_on() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("expenses.db");
    let household = open(&file).await;
    let options = SqliteConnectOptions::new().filename(&file);
    let mut other = SqliteConnection::connect_with(&options).await.unwrap();
    other.execute("BEGIN IMMEDIATE").await.unwrap();
    let refused = write(&household, 1).await;
    assert_eq!(refused.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(code(&refused), "DATABASE_LOCKED");
    assert!(written(&household).await.is_empty());
    other.execute("ROLLBACK").await.unwrap();
    assert_eq!(write(&household, 2).await.status, StatusCode::CREATED);
    assert_eq!(written(&household).await, [2]);
}

/// The files as a power cut would leave them: nothing is closed in good order.
#[tokio::test]
async fn what_was_acknowledged_survives_the_end_of_the_server() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("expenses.db");
    let before = open(&file).await;
    for number in 1..=3 {
        assert_eq!(write(&before, number).await.status, StatusCode::CREATED);
    }
    let rest = TempDir::new().unwrap();
    for name in ["expenses.db", "expenses.db-wal"] {
        fs::copy(folder.path().join(name), rest.path().join(name)).unwrap();
    }
    let after = open(&rest.path().join("expenses.db")).await;
    assert_eq!(written(&after).await, [1, 2, 3]);
}
