//! What becomes of the files of a server: a fall, damage, a full disk.

use std::{fs, os::unix::fs::MetadataExt, path::Path};

use http::StatusCode;
use sqlx::{Connection, PgConnection};
use tempfile::TempDir;

use super::{
    cluster::Cluster,
    household::Household,
    ledger::{household, write, write_until_refused, written},
    small_disk,
};

/// Root of a namespace of its own is another user outside, as whom no server can be run inside.
fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0)
}

fn cluster_in(folder: &Path) -> Cluster {
    Cluster::start_with(&[("POSTGRES_FOLDER", folder.to_str().unwrap())])
}

#[tokio::test]
async fn what_was_acknowledged_survives_the_fall_of_the_server() {
    let folder = TempDir::new().unwrap();
    let mut fallen = cluster_in(folder.path());
    let before = household(&fallen.address("postgres")).await;
    for number in 1..=3 {
        assert_eq!(write(&before, number).await.status, StatusCode::CREATED);
    }
    fallen.end();
    let again = cluster_in(folder.path());
    let after = household(&again.address("postgres")).await;
    assert_eq!(written(&after).await, [1, 2, 3]);
    let users = after.get("/api/v1/users").await.data();
    assert_eq!(users.as_array().map(Vec::len), Some(500));
}

#[tokio::test]
async fn a_damaged_table_is_named_and_left_as_it_is() {
    let folder = TempDir::new().unwrap();
    let mut cluster = cluster_in(folder.path());
    drop(household(&cluster.address("postgres")).await);
    cluster.execute("postgres", "CHECKPOINT").await;
    let mut connection = PgConnection::connect(&cluster.address("postgres"))
        .await
        .unwrap();
    let path: String = sqlx::query_scalar("SELECT pg_relation_filepath('expenses')")
        .fetch_one(&mut connection)
        .await
        .unwrap();
    connection.close().await.unwrap();
    cluster.end();
    let path = folder.path().join(path);
    let mut bytes = fs::read(&path).unwrap();
    bytes[8_192..24_576].fill(0xa5);
    fs::write(&path, &bytes).unwrap();

    let again = cluster_in(folder.path());
    let error = Household::refused(&format!("--expenses={}", again.address("postgres"))).await;
    assert!(error.contains("is damaged (invalid page"), "{error}");
    assert!(error.contains("Restore it from a copy"), "{error}");
    assert!(fs::read(&path).unwrap() == bytes, "the file was changed");
}

#[tokio::test]
async fn on_a_full_disk_what_was_acknowledged_stays_and_the_rest_is_refused() {
    let test = "postgres_files::on_a_full_disk_what_was_acknowledged_stays_and_the_rest_is_refused";
    if !is_root() {
        small_disk::say(
            test,
            "only root can give a server a small disk; run it as root",
        );
        return;
    }
    let Some(folder) = small_disk::enter(test, "12m") else {
        return;
    };
    let cluster = Cluster::start();
    let place = folder.join("tables");
    for sql in [
        // By the server, so that the folder is its user's.
        format!("COPY (SELECT) TO PROGRAM 'mkdir {}'", place.display()),
        format!("CREATE TABLESPACE small LOCATION '{}'", place.display()),
        "CREATE DATABASE household TABLESPACE small".to_owned(),
    ] {
        cluster.execute("postgres", &sql).await;
    }
    let household = household(&cluster.address("household")).await;
    let (mut acknowledged, refused) = write_until_refused(&household).await;
    assert_eq!(refused.status, StatusCode::INSUFFICIENT_STORAGE);
    assert_eq!(refused.json()["code"], "DATABASE_FULL");
    assert!(acknowledged.len() > 100, "{}", acknowledged.len());
    // A long list would be sorted on the disk that has no room.
    let users = household.get("/api/v1/users").await.data();
    assert_eq!(users.as_array().map(Vec::len), Some(500));

    small_disk::resize(&folder, "30m");
    assert_eq!(write(&household, 99_999).await.status, StatusCode::CREATED);
    acknowledged.push(99_999);
    assert_eq!(written(&household).await, acknowledged);
}
