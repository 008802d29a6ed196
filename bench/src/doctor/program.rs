//! Looks programs up, and runs none.

use std::{
    env,
    ffi::OsStr,
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

/// The first executable file of that name on a search path; it is not run.
#[must_use]
pub fn find_program(name: &str, search_path: Option<&OsStr>) -> Option<PathBuf> {
    env::split_paths(search_path?)
        .map(|directory| directory.join(name))
        .find(|path| is_executable(path))
}

fn is_executable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn a_program_is_an_executable_file_on_the_search_path() {
        let (first, second) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let search_path = env::join_paths([first.path(), second.path()]).unwrap();
        fs::write(first.path().join("k6"), "no program").unwrap();
        fs::create_dir(first.path().join("wrk")).unwrap();
        assert_eq!(find_program("k6", Some(&search_path)), None);
        assert_eq!(find_program("wrk", Some(&search_path)), None);

        let program = second.path().join("k6");
        fs::write(&program, "").unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(find_program("k6", Some(&search_path)), Some(program));
    }
}
