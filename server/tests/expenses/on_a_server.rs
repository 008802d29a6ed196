//! The database of these tests: one for each, on a `PostgreSQL` server that they share.

use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::OnceCell;

use super::{cluster::Cluster, household::config};

/// Filled once, and copied for each test.
const TEMPLATE: &str = "household";

/// Never dropped; it ends with this process.
static CLUSTER: OnceCell<Cluster> = OnceCell::const_new();
static DATABASES: AtomicUsize = AtomicUsize::new(0);

/// Where a database with the generated household is, for `--expenses`: one for each test.
pub async fn fresh() -> String {
    copy_of(TEMPLATE).await
}

/// Where an empty database is: one for each test.
pub async fn empty() -> String {
    copy_of("template0").await
}

async fn copy_of(template: &str) -> String {
    let cluster = cluster().await;
    let number = DATABASES.fetch_add(1, Ordering::Relaxed);
    let database = format!("household{number}");
    let copy = format!("CREATE DATABASE {database} TEMPLATE {template}");
    cluster.execute("postgres", &copy).await;
    cluster.address(&database)
}

/// The server that the tests share.
pub async fn cluster() -> &'static Cluster {
    CLUSTER
        .get_or_init(async || {
            let cluster = Cluster::start();
            let make = format!("CREATE DATABASE {TEMPLATE}");
            cluster.execute("postgres", &make).await;
            let flag = format!("--expenses={}", cluster.address(TEMPLATE));
            let expenses = config(&[&flag]).open_expenses().await.unwrap();
            expenses.unwrap().store.close().await;
            cluster
        })
        .await
}
