//! Going on with what an interrupted check left.

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
        ("seed", left.seed.to_string(), record.seed.to_string()),
        ("executable", version(&left), version(record)),
    ] {
        if before != now {
            return Err(differs(what, before, now));
        }
    }
    for (begun, options) in left.sessions.iter().zip(sessions) {
        if begun.settings != options.settings || as_asked(&begun.rows) != options.rows {
            let shown = |settings: &Settings| serde_json::to_string(settings).unwrap_or_default();
            return Err(differs(
                "settings",
                shown(&begun.settings),
                shown(&options.settings),
            ));
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
