//! Standard output as it really is: it may be closed, or lie on a full disk.

use std::io::{self, Write as _};

use crate::error::BenchError;

/// Writes `text` to standard output as it is; whether it has colours was decided before. A reader that
/// has gone away, as `head` does, has seen what it wanted.
///
/// # Errors
/// [`BenchError::Print`]: the system takes no more of it.
pub fn print(text: &str) -> Result<(), BenchError> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        outcome => outcome.map_err(BenchError::Print),
    }
}

/// Writes a line to standard error; where that cannot be written, nobody is left to be told.
pub fn tell(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}
