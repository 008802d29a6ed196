//! How the server is started.

use std::{ffi::OsString, path::PathBuf, time::Duration};

use crate::place::Cpus;

/// Options of [`Target::spawn`](super::Target::spawn).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetOptions {
    /// Worker threads of the server.
    pub workers: u32,
    /// Port for HTTP/1.1; 0 lets the system choose.
    pub http_port: u16,
    /// Port for h2c; 0 lets the system choose.
    pub h2c_port: u16,
    /// CPU to burn on purpose, as the server's `--surcharge` takes it.
    pub surcharge: Option<String>,
    /// The CPUs that it runs on; wherever the system likes when `None`.
    pub cpus: Option<Cpus>,
    /// Where the server leaves its certificate, if it shall speak TLS.
    pub certificate: Option<PathBuf>,
    /// Further arguments, last on the command line.
    pub extra_arguments: Vec<OsString>,
    /// How long the server may take to listen, and again to answer the first request.
    pub ready_timeout: Duration,
    /// How long the server may take to end when asked to; then it is killed.
    pub stop_grace: Duration,
}

impl TargetOptions {
    /// Options for a server with this many worker threads: ports of the system's choice, 10 s to
    /// get ready, 5 s to end.
    #[must_use]
    pub fn with_workers(workers: u32) -> Self {
        Self {
            workers,
            http_port: 0,
            h2c_port: 0,
            surcharge: None,
            cpus: None,
            certificate: None,
            extra_arguments: Vec::new(),
            ready_timeout: Duration::from_secs(10),
            stop_grace: Duration::from_secs(5),
        }
    }

    /// The same with generated expenses, about which nobody is asked for a token.
    #[must_use]
    pub fn with_expenses(mut self) -> Self {
        let flags = ["--expenses=memory", "--expenses-tokens=off"];
        self.extra_arguments.extend(flags.map(Into::into));
        self
    }

    /// The same with a flag, which is named without dashes.
    #[must_use]
    pub fn with_flag(mut self, name: &str, value: &str) -> Self {
        self.extra_arguments
            .push(format!("--{name}={value}").into());
        self
    }

    /// The server's arguments, `serve` first.
    pub(super) fn arguments(&self) -> Vec<OsString> {
        let mut arguments: Vec<OsString> =
            ["serve", "--bind", "127.0.0.1"].map(OsString::from).into();
        let mut push = |flag: &str, value: String| {
            arguments.extend([OsString::from(flag), OsString::from(value)]);
        };
        push("--http-port", self.http_port.to_string());
        push("--h2c-port", self.h2c_port.to_string());
        push("--workers", self.workers.to_string());
        if let Some(surcharge) = &self.surcharge {
            push("--surcharge", surcharge.clone());
        }
        if let Some(certificate) = &self.certificate {
            arguments.extend(["--tls", "on", "--tls-trust"].map(OsString::from));
            arguments.push(certificate.into());
        }
        arguments.extend(self.extra_arguments.iter().cloned());
        arguments
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_name_everything_the_server_must_know() {
        let options = TargetOptions {
            http_port: 5300,
            surcharge: Some("rest=0.15".to_owned()),
            certificate: Some("/scratch/certificate.pem".into()),
            extra_arguments: vec!["--stock".into(), "7".into()],
            ..TargetOptions::with_workers(2)
        };
        assert_eq!(
            options.arguments().join(" ".as_ref()),
            "serve --bind 127.0.0.1 --http-port 5300 --h2c-port 0 --workers 2 \
             --surcharge rest=0.15 --tls on --tls-trust /scratch/certificate.pem --stock 7"
        );
    }
}
