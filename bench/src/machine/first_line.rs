//! The one-line files of `/proc` and `/sys`.

use std::{fs, path::Path};

/// The first line of a file, unless it is empty.
pub(super) fn line_of(path: &Path) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    let line = text.lines().next()?.trim();
    (!line.is_empty()).then(|| line.to_owned())
}
