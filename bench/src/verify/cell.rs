//! Every cell of the catalogue, done once by its compiled client, which checks each answer.

use std::{collections::BTreeMap, time::Duration};

use thiserror::Error;

use crate::{
    catalogue::{Catalogue, Cell},
    load::{self, LoadArgs, LoadError, Variable},
    record::LoadSummary,
    target::{Target, TargetError},
};

/// More than one operation of any cell takes, even of a debug build.
const PATIENCE: Duration = Duration::from_mins(1);

/// Flags of a server, without dashes, with their values.
type Flags = BTreeMap<String, String>;

/// What a cell did.
#[derive(Clone, Debug)]
pub struct Tried {
    /// The cell.
    pub cell: Cell,
    /// Its one operation, of one call where their number can be set.
    pub summary: LoadSummary,
}

impl Tried {
    /// Why the operation failed; `None` when it did not.
    #[must_use]
    pub fn failure(&self) -> Option<String> {
        if self.summary.failed_operations == 0 && self.summary.operations > 0 {
            return None;
        }
        let reason = self.summary.failures.first();
        let reason = reason.map_or("it was not made", |failure| &*failure.reason);
        Some(format!("{}: its own client says: {reason}", self.cell.id))
    }
}

/// Why a cell could not be tried.
#[derive(Debug, Error)]
pub enum CellError {
    /// The server that it needs did not start, or not end.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// The load could not be driven.
    #[error(transparent)]
    Load(#[from] LoadError),
}

/// Tries the cells, in the order of the catalogue. `start` starts a server with these flags; one serves all
/// the cells that need the same.
///
/// # Errors
/// See [`CellError`]. A cell whose operation fails is no error: see [`Tried::failure`].
pub fn try_cells(
    catalogue: &Catalogue,
    start: impl Fn(&Flags) -> Result<Target, TargetError>,
) -> Result<Vec<Tried>, CellError> {
    let mut by_flags: BTreeMap<&Flags, Vec<usize>> = BTreeMap::new();
    for (place, cell) in catalogue.cells.iter().enumerate() {
        by_flags.entry(&cell.server).or_default().push(place);
    }
    let mut tried = Vec::new();
    for (flags, places) in by_flags {
        let server = start(flags)?;
        for place in places {
            let cell = catalogue.cells[place].clone();
            let summary = load::run(&once(&cell, &server))?;
            tried.push((place, Tried { cell, summary }));
        }
        server.stop()?;
    }
    tried.sort_by_key(|(place, _)| *place);
    Ok(tried.into_iter().map(|(_, tried)| tried).collect())
}

/// One operation of one virtual user.
fn once(cell: &Cell, server: &Target) -> LoadArgs {
    let variable = |key: &str, value: String| Variable {
        key: key.to_owned(),
        value,
    };
    LoadArgs {
        script: cell.program().to_owned(),
        vus: 1,
        duration: Some(PATIENCE),
        iterations: Some(1),
        rate: None,
        variables: vec![
            variable("BASE_URL", format!("http://{}", server.http_address())),
            variable("GRPC_ADDR", server.h2c_address().to_string()),
            variable("CALLS", "1".to_owned()),
            variable("BENCH_SUMMARY", String::new()),
        ],
        workers: Some(1),
        timeout: PATIENCE,
        quiet: true,
    }
}
