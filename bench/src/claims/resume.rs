//! Going on with what an interrupted check left.

use serde_json::{Map, Value};

use crate::{
    error::UsageError,
    options::Options,
    record::{ClaimsRecord, Row, Settings},
};

/// Takes over what an earlier process left, when it measured the same things in the same way.
pub(super) fn take_over(
    record: &mut ClaimsRecord,
    left: ClaimsRecord,
    sessions: &[Options],
) -> Result<(), UsageError> {
    let differs = |what: &str, left: String, now: String| UsageError::OtherClaims {
        what: what.to_owned(),
        left,
        now,
    };
    let version = |record: &ClaimsRecord| {
        let revision = record.tool_revision.as_deref().unwrap_or("unknown");
        format!("{} ({revision})", record.tool_version)
    };
    for (what, before, now) in [
        ("claims", left.asked.join(","), record.asked.join(",")),
        ("pace", left.pace.clone(), record.pace.clone()),
        ("seed", left.seed.to_string(), record.seed.to_string()),
        ("executable", version(&left), version(record)),
    ] {
        if before != now {
            return Err(differs(what, before, now));
        }
    }
    for (begun, options) in left.sessions.iter().zip(sessions) {
        let rows = |rows: &[Row]| {
            let ids: Vec<&str> = rows.iter().map(|row| &*row.id).collect();
            ids.join(",")
        };
        let (left, now) = (as_asked(&begun.rows), &options.rows);
        if left != *now {
            return Err(differs("rows", rows(&left), rows(now)));
        }
        if begun.settings != options.settings {
            let (what, left, now) = changed(&begun.settings, &options.settings);
            return Err(differs(&what, left, now));
        }
    }
    record.started_at = left.started_at;
    record.machine = left.machine;
    record.sessions = left.sessions;
    record.checks = left.checks;
    Ok(())
}

/// The rows before it was known what their rates in % come to.
fn as_asked(rows: &[Row]) -> Vec<Row> {
    let asked = |row: &Row| Row {
        condition: row.condition.clone().as_asked(),
        ..row.clone()
    };
    rows.iter().map(asked).collect()
}

/// The names of the settings that differ, their former values and their present ones. The order of runs
/// follows from the others.
fn changed(left: &Settings, now: &Settings) -> (String, String, String) {
    let fields = |settings: &Settings| match serde_json::to_value(settings) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    };
    let (left, now) = (fields(left), fields(now));
    let differs = |name: &&String| left.get(*name) != now.get(*name);
    let mut names: Vec<&String> = left.keys().chain(now.keys()).filter(differs).collect();
    names.sort_unstable();
    names.dedup();
    let follows = |name: &str| ["order", "profile"].contains(&name);
    if names.iter().any(|name| !follows(name)) {
        names.retain(|name| !follows(name));
    }
    let values = |fields: &Map<String, Value>| {
        let shown: Vec<String> = names
            .iter()
            .map(|name| match fields.get(*name) {
                Some(Value::String(text)) => text.clone(),
                Some(value) => value.to_string(),
                None => "none".to_owned(),
            })
            .collect();
        shown.join(", ")
    };
    let names: Vec<String> = names.iter().map(|name| name.replace('_', " ")).collect();
    (names.join(", "), values(&left), values(&now))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::fixture;

    #[test]
    fn settings_that_differ_are_named_one_by_one() {
        let left = fixture::session(&[("a-rest", &[1.0, 2.0, 3.0])]).settings;
        let mut now = left.clone();
        now.rounds += 1;
        now.order.clear();
        now.tie_margin = 0.5;
        let (what, was, is) = changed(&left, &now);
        assert_eq!(what, "rounds, tie margin");
        assert_eq!(was, format!("{}, {:?}", left.rounds, left.tie_margin));
        assert_eq!(is, format!("{}, 0.5", left.rounds + 1));
    }
}
