//! Running a script and keeping what it writes.

use std::{
    io::Write,
    sync::{Arc, Mutex},
};

use clap::Parser;
use script_runner::{ScriptArgs, SharedWriter, Streams, run_with};

/// What a run left behind.
#[derive(Debug)]
pub struct Outcome {
    pub exit_code: u8,
    pub stdout: String,
    pub stderr: String,
}

#[derive(Parser)]
struct Cli {
    #[command(flatten)]
    script: ScriptArgs,
}

/// Runs a script with a command line and with variables of the system.
pub fn run(arguments: &[String], variables: &[(String, String)]) -> Outcome {
    let program = ["run".to_owned()];
    let cli = Cli::try_parse_from(program.iter().chain(arguments)).unwrap();
    let (stdout, stderr) = (Captured::default(), Captured::default());
    let streams = Streams {
        out: stdout.writer(),
        err: stderr.writer(),
    };
    let outcome = run_with(&cli.script, &streams, variables.iter().cloned());
    Outcome {
        exit_code: outcome.exit_code,
        stdout: stdout.text(),
        stderr: stderr.text(),
    }
}

#[derive(Clone, Default)]
struct Captured(Arc<Mutex<Vec<u8>>>);

impl Captured {
    fn writer(&self) -> SharedWriter {
        Arc::new(Mutex::new(self.clone()))
    }

    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl Write for Captured {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
