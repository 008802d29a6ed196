//! The server of a row: how it is started, and what it is asked outside of the window.

use std::path::{Path, PathBuf};

use crate::{
    catalogue::Style,
    record::{Row, Settings, SqlUse},
    target::{Target, TargetError, TargetOptions},
};

/// The server's flag that gives it expenses.
const EXPENSES: &str = "expenses";
/// The folder of the certificate that load trusts, and of nothing else.
pub(super) const TRUSTED: &str = "trusted";

/// A token, where some style shows one. It is made here, because checking a password takes CPU time on
/// purpose, which is no operation's.
pub(super) fn token_for(server: &Target, row: &Row) -> Result<Option<String>, TargetError> {
    let shows = match token_scope(row) {
        Some("rest") => row.style == Style::Rest,
        Some("all") => true,
        _ => false,
    };
    shows.then(|| server.log_in()).transpose()
}

/// Which styles show a token, where the server has expenses.
pub(super) fn token_scope(row: &Row) -> Option<&str> {
    let scope = row.condition.server.get("expenses-tokens");
    is_about_expenses(row).then(|| scope.map_or("rest", String::as_str))
}

/// What the database of expenses did so far; `None` without one.
pub(super) fn sql_use(server: &Target, row: &Row) -> Result<Option<SqlUse>, TargetError> {
    if is_about_expenses(row) {
        server.sql_use()
    } else {
        Ok(None)
    }
}

pub(super) fn is_about_expenses(row: &Row) -> bool {
    row.condition.server.contains_key(EXPENSES)
}

/// Where the server of an encrypted row leaves the certificate that its load trusts.
pub(super) fn certificate_of(row: &Row, scratch: &Path) -> Option<PathBuf> {
    let certificate = || scratch.join(TRUSTED).join("certificate.pem");
    row.condition.tls.then(certificate)
}

/// How the server is started for `row`: with its surcharge and its condition.
pub(super) fn target_options(
    settings: &Settings,
    row: Option<&Row>,
    scratch: &Path,
) -> TargetOptions {
    let arguments = row.map_or_else(Vec::new, |row| row.condition.server_arguments(scratch));
    let surcharge = row.and_then(|row| settings.surcharges.get(&row.id));
    TargetOptions {
        surcharge: surcharge.map(ToString::to_string),
        certificate: row.and_then(|row| certificate_of(row, scratch)),
        extra_arguments: arguments,
        ..TargetOptions::with_workers(settings.server_workers)
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use crate::record::fixture;

    #[test]
    fn a_row_brings_its_surcharge_and_the_flags_of_its_condition() {
        let mut settings = fixture::settings();
        settings.surcharges.insert("b-rest".to_owned(), 0.15);
        let mut row = fixture::row("b-rest");
        row.condition = "driver=load,tls=on,log-level=info".parse().unwrap();
        let scratch = Path::new("/scratch");
        let options = target_options(&settings, Some(&row), scratch);
        assert_eq!(options.workers, settings.server_workers);
        assert_eq!(options.surcharge.as_deref(), Some("0.15"));
        assert_eq!(options.extra_arguments, ["--log-level", "info"]);
        assert_eq!(
            options.certificate,
            Some(scratch.join("trusted/certificate.pem"))
        );
        let plain = target_options(&settings, None, scratch);
        assert_eq!(plain, TargetOptions::with_workers(settings.server_workers));
    }
}
