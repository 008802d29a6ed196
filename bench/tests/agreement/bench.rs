//! A server with recorders in front of it, and the drivers that are compared.

use std::{
    collections::BTreeMap,
    fs,
    net::SocketAddr,
    path::{Path, PathBuf},
    process::Command,
};

use bookstore_bench::{
    catalogue::{Cell, Style},
    record::LoadSummary,
    target::{Target, TargetOptions},
};
use tempfile::TempDir;

use crate::{
    http1, http2,
    recorder::{Conversation, Recorder},
    seal::Seals,
    traffic::{Traffic, wire_bytes},
};

const BENCH: &str = env!("CARGO_BIN_EXE_bookstore-bench");

/// The drivers that are compared, by their subcommand.
#[derive(Clone, Copy, Debug)]
pub enum Driver {
    Load,
    Script,
}

/// What is driven, and how much of it.
#[derive(Clone, Copy, Debug)]
pub struct Work<'a> {
    pub cell: &'a Cell,
    pub lines: Option<u32>,
    pub vus: u32,
    pub operations: u32,
}

/// What a driver did, by its own account and as it was recorded.
#[derive(Debug)]
pub struct Done {
    pub summary: LoadSummary,
    pub traffic: Traffic,
    /// Bytes sent and received, as recorded.
    pub wire: (u64, u64),
}

/// What is between driver and recorder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wire {
    Open,
    Encrypted,
}

/// A real server behind recorders.
pub struct Bench {
    _server: Target,
    token: Option<String>,
    http1: Recorder,
    h2c: Recorder,
    /// The certificate to trust, where the recorders speak TLS.
    certificate: Option<PathBuf>,
    _folder: TempDir,
}

impl Bench {
    pub fn start() -> Self {
        Self::with_flags(&BTreeMap::new(), Wire::Open)
    }

    /// A server with these flags, without dashes.
    pub fn with_flags(flags: &BTreeMap<String, String>, wire: Wire) -> Self {
        let arguments = flags
            .iter()
            .map(|(flag, value)| format!("--{flag}={value}"));
        let options = TargetOptions {
            extra_arguments: arguments.map(Into::into).collect(),
            ..TargetOptions::with_workers(1)
        };
        let server = Target::spawn(Path::new(BENCH), &options).unwrap();
        let expenses = flags.contains_key("expenses");
        let folder = tempfile::tempdir().unwrap();
        let (http1, h2c) = (server.http_address(), server.h2c_address());
        let (http1, h2c, certificate) = match wire {
            Wire::Open => (Recorder::before(http1), Recorder::before(h2c), None),
            Wire::Encrypted => {
                let seals = Seals::new(folder.path());
                let http1 = Recorder::sealed_before(http1, seals.http1);
                let h2c = Recorder::sealed_before(h2c, seals.h2);
                (http1, h2c, Some(seals.certificate))
            }
        };
        Self {
            token: expenses.then(|| server.log_in().unwrap()),
            http1,
            h2c,
            certificate,
            _folder: folder,
            _server: server,
        }
    }

    /// Lets a driver do some work as the wrapper asks for it.
    pub fn drive(&self, driver: Driver, work: Work<'_>) -> Done {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("summary.json");
        let summary = format!("BENCH_SUMMARY={}", file.display());
        self.run(driver, work, &[summary, "BODY_BYTES=1".to_owned()]);
        let summary = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
        let (conversations, traffic) = if work.cell.style == Style::Grpc {
            let conversations = self.h2c.take();
            let traffic = http2::read(&conversations);
            (conversations, traffic)
        } else {
            let conversations = self.http1.take();
            let traffic = http1::read(&conversations);
            (conversations, traffic)
        };
        Done {
            summary,
            traffic,
            wire: wire_bytes(&conversations),
        }
    }

    /// Lets a driver do some work as a person asks for it, and gives what passed over HTTP/1.1.
    pub fn drive_by_hand(&self, driver: Driver, work: Work<'_>) -> Vec<Conversation> {
        self.run(driver, work, &[]);
        self.http1.take()
    }

    fn run(&self, driver: Driver, work: Work<'_>, variables: &[String]) {
        let mut command = Command::new(BENCH);
        command.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
        command.arg(match driver {
            Driver::Load => "load",
            Driver::Script => "script",
        });
        command.args(["run", work.cell.program(), "--quiet", "--workers", "1"]);
        command.args([
            "-u",
            &work.vus.to_string(),
            "-i",
            &work.operations.to_string(),
        ]);
        let address = |name: &str, address: SocketAddr| format!("{name}{address}");
        let scheme = match &self.certificate {
            None => "BASE_URL=http://",
            Some(certificate) => {
                // One is for compiled clients, the other for scripts.
                command.args(["-e", &format!("TLS_TRUST={}", certificate.display())]);
                command.env("SSL_CERT_FILE", certificate);
                "BASE_URL=https://"
            }
        };
        command.args(["-e", &address(scheme, self.http1.address)]);
        command.args(["-e", &address("GRPC_ADDR=", self.h2c.address)]);
        if let Some(lines) = work.lines {
            command.args(["-e", &format!("LINES={lines}")]);
        }
        if let Some(token) = &self.token {
            command.args(["-e", &format!("EXPENSES_TOKEN={token}"), "-e", "LIMIT=5"]);
        }
        for variable in variables {
            command.args(["-e", variable]);
        }
        let output = command.output().unwrap();
        assert!(
            output.status.success(),
            "{driver:?} {work:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}
