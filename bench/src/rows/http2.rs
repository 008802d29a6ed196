//! Which rows can be measured over HTTP/2.

use super::join;
use crate::{
    catalogue::{Catalogue, Cell, Style},
    error::UsageError,
    record::{Condition, Row},
};

/// Whether `http=2` is there and cannot be obeyed.
pub(super) fn check(
    row: &Row,
    catalogue: &Catalogue,
    condition: &Condition,
) -> Result<(), UsageError> {
    if !condition.http2 {
        return Ok(());
    }
    // The server has no GraphQL there.
    let can = |cell: &&Cell| cell.http2 && cell.style != Style::GraphQl;
    if !catalogue.cell(&row.cell).as_ref().is_some_and(can) {
        let known = catalogue.cells.iter().filter(can);
        return Err(UsageError::Http2WithoutUse {
            cell: row.cell.clone(),
            known: join(known.map(|cell| &*cell.id)),
        });
    }
    let served = condition.server.get("rest-h2c");
    if row.style == Style::Rest && served.is_none_or(|switch| switch != "on") {
        return Err(UsageError::RestOverHttp2 {
            row: format!("{}@{condition}", row.id),
        });
    }
    Ok(())
}
