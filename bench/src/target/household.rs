//! What the wrapper asks a server that has expenses: a token, and what its database has done so far.

use std::time::Duration;

use serde::Deserialize;

use super::{
    Site, TargetError,
    exchange::{Exchange, body},
};
use crate::record::SqlUse;

/// One of the generated users; their password guards nothing.
const CREDENTIALS: &str = r#"{"username":"test0","password":"test"}"#;
/// Checking a password takes CPU time on purpose, on a slow machine a lot of it.
const PATIENCE: Duration = Duration::from_mins(1);

/// A token that is good for a day.
///
/// # Errors
/// The server gives none.
pub fn log_in(site: &Site) -> Result<String, TargetError> {
    #[derive(Deserialize)]
    struct Envelope {
        data: Token,
    }
    #[derive(Deserialize)]
    struct Token {
        token: String,
    }
    let path = "/api/v1/users/login";
    let read = |body: &[u8]| serde_json::from_slice::<Envelope>(body).map_err(|e| e.to_string());
    ask(site, path, Some(CREDENTIALS), read).map(|envelope| envelope.data.token)
}

/// What the database did since the server's start; `None` for a server that does not count it.
///
/// # Errors
/// The server does not answer.
pub(super) fn sql_use(site: &Site) -> Result<Option<SqlUse>, TargetError> {
    let read = |body: &[u8]| Ok(counters(&String::from_utf8_lossy(body)));
    ask(site, "/metrics", None, read)
}

fn ask<T>(
    site: &Site,
    path: &'static str,
    json: Option<&str>,
    read: impl Fn(&[u8]) -> Result<T, String>,
) -> Result<T, TargetError> {
    let exchange = Exchange {
        site,
        path,
        json,
        patience: PATIENCE,
    };
    let answer = exchange.answer().map_err(|error| error.to_string());
    let found = answer.and_then(|answer| read(body(&answer)?));
    found.map_err(|reason| TargetError::Household {
        site: site.to_string(),
        path,
        reason,
    })
}

fn counters(metrics: &str) -> Option<SqlUse> {
    let value = |name: &str| -> Option<f64> {
        let line = metrics.lines().find_map(|line| line.strip_prefix(name))?;
        line.strip_prefix(' ')?.trim().parse().ok()
    };
    Some(SqlUse {
        statements: value("expenses_sql_statements_total")?,
        seconds: value("expenses_sql_seconds_total")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_are_read_where_the_server_has_them() {
        let metrics = "# TYPE expenses_sql_seconds_total counter\n\
                       expenses_sql_statements_total 12\n\
                       expenses_sql_seconds_total 0.25\n";
        let found = SqlUse {
            statements: 12.0,
            seconds: 0.25,
        };
        assert_eq!(counters(metrics), Some(found));
        assert_eq!(counters("process_cpu_seconds_total 1\n"), None);
    }
}
