//! What a process prints: line by line, never more than a bounded amount in memory.

use std::{
    collections::VecDeque,
    io::{self, BufRead, BufReader, Read},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, mpsc},
    thread,
    time::{Duration, Instant},
};

/// Longer lines are cut into pieces of this many bytes.
const LONGEST_LINE: u64 = 4096;
/// Lines kept for messages.
const TAIL_LINES: usize = 20;

/// The last lines that a process printed, read in the background to the end of the stream.
#[derive(Clone, Debug)]
pub(super) struct Tail {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    content: Mutex<Content>,
    closed: Condvar,
}

#[derive(Debug, Default)]
struct Content {
    lines: VecDeque<String>,
    closed: bool,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Content> {
        self.content.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Tail {
    /// Reads a stream in the background.
    pub(super) fn of(stream: impl Read + Send + 'static) -> io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let tail = Self {
            shared: Arc::clone(&shared),
        };
        in_background(move || {
            let mut reader = BufReader::new(stream);
            while let Some(line) = next_line(&mut reader) {
                let mut content = shared.lock();
                if content.lines.len() == TAIL_LINES {
                    content.lines.pop_front();
                }
                content.lines.push_back(line);
            }
            shared.lock().closed = true;
            shared.closed.notify_all();
        })?;
        Ok(tail)
    }

    /// The last lines so far, oldest first.
    pub(super) fn lines(&self) -> Vec<String> {
        self.shared.lock().lines.iter().cloned().collect()
    }

    /// The last lines once the stream has ended. Waits no longer than `patience`, for a process of
    /// the process may hold the stream open.
    pub(super) fn lines_at_end(&self, patience: Duration) -> Vec<String> {
        let open = |content: &mut Content| !content.closed;
        let waited = self
            .shared
            .closed
            .wait_timeout_while(self.shared.lock(), patience, open);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
        self.lines()
    }
}

/// One line, or why there is none.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// A line, without its end.
    Text(String),
    /// The stream has ended.
    End,
    /// Nothing came before the time was up.
    TimeOut,
}

/// Lines of a stream, with a time-out. The stream is read to its end even when nobody asks for the
/// lines, so that the process never blocks on a full pipe.
#[derive(Debug)]
pub(crate) struct Lines {
    lines: mpsc::Receiver<String>,
}

impl Lines {
    /// Lines that may wait to be asked for; further ones are dropped.
    const WAITING: usize = 64;

    /// Reads a stream in the background.
    pub(crate) fn of(stream: impl Read + Send + 'static) -> io::Result<Self> {
        let (sender, lines) = mpsc::sync_channel(Self::WAITING);
        in_background(move || {
            let mut reader = BufReader::new(stream);
            while let Some(line) = next_line(&mut reader) {
                // Full or closed: nobody reads any more.
                let _ = sender.try_send(line);
            }
        })?;
        Ok(Self { lines })
    }

    /// The next line, waiting until `deadline` for it.
    pub(crate) fn next_before(&self, deadline: Instant) -> Line {
        let patience = deadline.saturating_duration_since(Instant::now());
        match self.lines.recv_timeout(patience) {
            Ok(line) => Line::Text(line),
            Err(mpsc::RecvTimeoutError::Disconnected) => Line::End,
            Err(mpsc::RecvTimeoutError::Timeout) => Line::TimeOut,
        }
    }
}

fn in_background(work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new()
        .name("child output".to_owned())
        .spawn(work)
        .map(drop)
}

/// The next line or piece of one; `None` at the end of the stream, a broken stream included.
fn next_line(reader: &mut impl BufRead) -> Option<String> {
    let mut line = Vec::new();
    let read = reader
        .take(LONGEST_LINE)
        .read_until(b'\n', &mut line)
        .ok()?;
    (read > 0).then(|| String::from_utf8_lossy(&line).trim_end().to_owned())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::io::Cursor;

    use super::*;

    const LONG: Duration = Duration::from_mins(1);

    #[test]
    fn the_tail_keeps_the_last_lines_of_a_long_stream() {
        let text = (1..=1000)
            .map(|number| format!("line {number}"))
            .collect::<Vec<_>>()
            .join("\n");
        let lines = Tail::of(Cursor::new(text)).unwrap().lines_at_end(LONG);
        assert_eq!(lines.len(), TAIL_LINES);
        assert_eq!(lines.first().unwrap(), "line 981");
        assert_eq!(lines.last().unwrap(), "line 1000");
    }

    #[test]
    fn a_line_without_end_is_cut_and_odd_bytes_are_shown() {
        let mut bytes = vec![b'x'; 10_000];
        bytes.extend([b'\n', 0xff, b'!']);
        let lines = Tail::of(Cursor::new(bytes)).unwrap().lines_at_end(LONG);
        let lengths: Vec<usize> = lines.iter().map(|line| line.chars().count()).collect();
        assert_eq!(lengths, [4096, 4096, 1808, 2]);
        assert_eq!(lines[3], "\u{fffd}!");
    }

    #[test]
    fn lines_come_in_order_and_then_the_end() {
        let lines = Lines::of(Cursor::new("one\r\ntwo")).unwrap();
        let deadline = Instant::now() + LONG;
        assert_eq!(lines.next_before(deadline), Line::Text("one".to_owned()));
        assert_eq!(lines.next_before(deadline), Line::Text("two".to_owned()));
        assert_eq!(lines.next_before(deadline), Line::End);
    }
}
