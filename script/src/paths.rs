//! Paths as scripts write them.

use std::path::{Component, Path, PathBuf};

/// The path without `.` and `..`, as far as that can be told without the disk.
pub(crate) fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if normal.file_name().is_some() => {
                normal.pop();
            }
            other => normal.push(other),
        }
    }
    normal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_are_resolved() {
        assert_eq!(normal(Path::new("/a/./b/../c.js")), Path::new("/a/c.js"));
        assert_eq!(normal(Path::new("../c.js")), Path::new("../c.js"));
    }
}
