//! A `PostgreSQL` server of its own, by `scripts/steps/with-postgres`.

use std::{
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, ChildStdin, Command, Stdio},
};

use sqlx::{AssertSqlSafe, Connection, PgConnection};

const SCRIPT: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../scripts/steps/with-postgres"
);

/// Runs until it is ended, or the test that holds it ends in whatever way: then the script reads the end of
/// its input.
pub struct Cluster {
    script: Child,
    input: Option<ChildStdin>,
    url: String,
}

impl Cluster {
    /// Takes two seconds.
    pub fn start() -> Self {
        Self::start_with(&[])
    }

    /// With the script's own settings.
    pub fn start_with(settings: &[(&str, &str)]) -> Self {
        assert!(Path::new(SCRIPT).exists(), "{SCRIPT} is missing");
        let waiting = "echo \"$EXPENSES_DATABASE_URL\"; exec cat";
        let mut script = Command::new(SCRIPT)
            .args(["sh", "-c", waiting])
            .envs(settings.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut url = String::new();
        let output = script.stdout.take().unwrap();
        BufReader::new(output).read_line(&mut url).unwrap();
        let url = url.trim().to_owned();
        assert!(url.starts_with("postgres://"), "the script says why above");
        let input = script.stdin.take();
        Self { script, input, url }
    }

    /// The address of a database of this server, with more of the address behind it.
    pub fn address(&self, database: &str) -> String {
        self.url.replace("/postgres?", &format!("/{database}?"))
    }

    /// The address of the same by another user.
    pub fn address_of(&self, user: &str, database: &str) -> String {
        self.address(database)
            .replace("bench@", &format!("{user}@"))
    }

    pub async fn execute(&self, database: &str, sql: &str) {
        let mut connection = PgConnection::connect(&self.address(database))
            .await
            .unwrap();
        let sql = AssertSqlSafe(sql.to_owned());
        sqlx::raw_sql(sql).execute(&mut connection).await.unwrap();
        connection.close().await.unwrap();
    }

    /// Ends the server at once, as a fallen one.
    pub fn end(&mut self) {
        drop(self.input.take());
        self.script.wait().unwrap();
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.end();
    }
}
