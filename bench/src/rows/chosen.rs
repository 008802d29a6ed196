//! The cells that were asked for, with their conditions.

use super::join;
use crate::{
    catalogue::{Catalogue, Cell},
    error::UsageError,
    record::Condition,
};

/// The cells of these names, `<cell>[@<condition>]`; the default ones of none.
pub(super) fn cells<'a>(
    catalogue: &'a Catalogue,
    names: &[String],
) -> Result<Vec<(&'a Cell, Condition)>, UsageError> {
    if names.is_empty() {
        let default = catalogue.cells.iter().filter(|cell| cell.default);
        return Ok(default.map(|cell| (cell, Condition::default())).collect());
    }
    whole_names(names)
        .iter()
        .map(|name| {
            let (cell, condition) = match name.split_once('@') {
                Some((cell, condition)) => (cell, condition.parse()?),
                None => (name.as_str(), Condition::default()),
            };
            let found = catalogue
                .cell(cell.trim())
                .ok_or_else(|| UsageError::UnknownCell {
                    cell: cell.to_owned(),
                    known: join(catalogue.cells.iter().map(|cell| &*cell.id)),
                })?;
            Ok((found, condition))
        })
        .collect()
}

/// Names whose conditions were taken apart at their commas, put together again.
pub(super) fn whole_names(pieces: &[String]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for piece in pieces {
        let goes_on = piece.contains('=') && !piece.contains('@');
        match names
            .last_mut()
            .filter(|name| goes_on && name.contains('@'))
        {
            Some(name) => *name = format!("{name},{piece}"),
            None => names.push(piece.clone()),
        }
    }
    names
}
