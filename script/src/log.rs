//! Messages of the run and the script, in k6's form, and the streams that everything is written to.

use std::{
    fmt::Write as _,
    io::{self, Write},
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};

/// A writer that threads share.
pub type SharedWriter = Arc<Mutex<dyn Write + Send>>;

/// Standard output and standard error, or what stands in for them.
#[derive(Clone)]
pub struct Streams {
    /// Progress and summary.
    pub out: SharedWriter,
    /// Messages.
    pub err: SharedWriter,
}

impl Default for Streams {
    /// Those of the process.
    fn default() -> Self {
        Self {
            out: Arc::new(Mutex::new(io::stdout())),
            err: Arc::new(Mutex::new(io::stderr())),
        }
    }
}

impl Streams {
    /// Writes to standard output; where that fails, standard error tells why.
    pub fn print(&self, text: &[u8]) {
        if let Err(error) = write(&self.out, text)
            && error.kind() != io::ErrorKind::BrokenPipe
        {
            Log::new(self.clone(), false).error(format!("cannot write the summary: {error}"));
        }
    }

    /// Writes to standard error.
    pub fn print_error(&self, text: &[u8]) {
        // There is nowhere else to tell of it.
        let _ = write(&self.err, text);
    }
}

/// How grave a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Not shown without `--verbose`.
    Debug,
    /// For information.
    Info,
    /// Something is amiss.
    Warning,
    /// Something failed.
    Error,
}

/// Writes messages to standard error.
#[derive(Clone)]
pub struct Log {
    streams: Streams,
    began: Instant,
    verbose: bool,
}

impl std::fmt::Debug for Log {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Log").finish_non_exhaustive()
    }
}

impl Log {
    /// Messages count their seconds from now.
    #[must_use]
    pub fn new(streams: Streams, verbose: bool) -> Self {
        Self {
            streams,
            began: Instant::now(),
            verbose,
        }
    }

    /// Writes a message with fields behind it.
    pub fn write(&self, level: Level, message: &str, fields: &[(&str, &str)]) {
        if level == Level::Debug && !self.verbose {
            return;
        }
        let name = match level {
            Level::Debug => "DEBU",
            Level::Info => "INFO",
            Level::Warning => "WARN",
            Level::Error => "ERRO",
        };
        let mut line = format!(
            "{name}[{:04}] {message:<44}",
            self.began.elapsed().as_secs()
        );
        for (key, value) in fields {
            // Writing to a string cannot fail.
            let _ = write!(line, " {key}={value}");
        }
        writeln_to(&self.streams.err, line.trim_end());
    }

    /// A warning without fields.
    pub fn warn(&self, message: impl AsRef<str>) {
        self.write(Level::Warning, message.as_ref(), &[]);
    }

    /// An error without fields.
    pub fn error(&self, message: impl AsRef<str>) {
        self.write(Level::Error, message.as_ref(), &[]);
    }
}

fn writeln_to(writer: &SharedWriter, line: &str) {
    // A closed pipe must not end the run; whoever closed it does not want to read.
    let _ = write(writer, format!("{line}\n").as_bytes());
}

fn write(writer: &SharedWriter, bytes: &[u8]) -> io::Result<()> {
    let mut writer = writer.lock().unwrap_or_else(PoisonError::into_inner);
    writer.write_all(bytes).and_then(|()| writer.flush())
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    struct Failing(io::ErrorKind);

    impl Write for Failing {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_summary_that_cannot_be_written_is_told_unless_nobody_reads() {
        for (kind, is_told) in [
            (io::ErrorKind::StorageFull, true),
            (io::ErrorKind::BrokenPipe, false),
        ] {
            let told = Arc::new(Mutex::new(Vec::new()));
            let streams = Streams {
                out: Arc::new(Mutex::new(Failing(kind))),
                err: Arc::<Mutex<Vec<u8>>>::clone(&told),
            };
            streams.print(b"summary");
            let told = String::from_utf8(told.lock().unwrap().clone()).unwrap();
            assert_eq!(told.contains("cannot write the summary"), is_told, "{told}");
        }
    }
}
