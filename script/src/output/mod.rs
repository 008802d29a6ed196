//! Outputs that get every sample while the run lasts.

mod json;

use std::{path::PathBuf, sync::mpsc::Sender, thread::JoinHandle};

use crate::{error::RunError, log::Streams, metric::Point, options::Options, test::Test};

/// A running output.
pub(crate) struct Output {
    writer: JoinHandle<std::io::Result<()>>,
    path: PathBuf,
}

/// Starts the output that the command line names, `json=FILE`, and gives where points go.
pub(crate) fn start(
    name: &str,
    test: &Test,
    options: &Options,
    streams: &Streams,
) -> Result<(Output, Sender<Point>), RunError> {
    let (kind, file) = name.split_once('=').unwrap_or((name, ""));
    if kind != "json" {
        return Err(RunError::Argument {
            name: "out",
            value: name.to_owned(),
            expected: "json=FILE; other outputs need k6",
        });
    }
    let path = PathBuf::from(file);
    json::start(&path, test, options, streams)
        .map(|(writer, sender)| {
            let path = path.clone();
            (Output { writer, path }, sender)
        })
        .map_err(|error| RunError::Write { path, error })
}

impl Output {
    /// Waits until everything is written. All senders of points must be gone.
    pub(crate) fn finish(self) -> Result<(), RunError> {
        match self.writer.join() {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(RunError::Write {
                path: self.path,
                error,
            }),
            Err(_) => Err(RunError::Panicked("the output ended early".to_owned())),
        }
    }
}
