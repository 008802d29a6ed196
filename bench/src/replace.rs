//! Replacing a file's content at once.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// Whether something stands at `path` that only takes what is written to it, such as `/dev/null` or a
/// pipe. Giving a file its name would destroy it.
#[must_use]
pub fn is_device(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// Writes `text` to a neighbouring file that then takes the name, so that no reader, no crash and no
/// full disk leaves half a file: a reader sees the old content or the new. A device or a pipe is
/// written to as it is.
///
/// # Errors
/// The text cannot be written; the old content is kept, and nothing else stays behind.
pub fn replace(path: &Path, text: &str) -> io::Result<()> {
    if is_device(path) {
        return fs::write(path, text);
    }
    let mut draft = path.as_os_str().to_owned();
    draft.push(".part");
    let draft = PathBuf::from(draft);
    let outcome = fs::write(&draft, text).and_then(|()| fs::rename(&draft, path));
    if outcome.is_err() {
        // The draft may not exist; the first error is the one to report.
        let _ = fs::remove_file(&draft);
    }
    outcome
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn the_new_content_stands_alone() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        replace(&file, "old").unwrap();
        replace(&file, "new").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_device_stays_what_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("null");
        std::os::unix::fs::symlink("/dev/null", &link).unwrap();
        replace(&link, "new").unwrap();
        assert!(is_device(&link));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_failure_leaves_no_draft() {
        let folder = tempfile::tempdir().unwrap();
        let taken = folder.path().join("taken");
        fs::create_dir_all(taken.join("below")).unwrap();
        replace(&taken, "new").unwrap_err();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
