//! What a load process is asked to do.

use std::{net::SocketAddr, path::Path, time::Duration};

use crate::record::LoadModel;

/// One load run, warm-up or measured.
#[derive(Clone, Debug)]
pub struct Job<'a> {
    /// The k6 script of the cell, from the top of the repository; its id where it has none.
    pub script: &'a str,
    /// Lines per order, where the scenario has any.
    pub lines: Option<u32>,
    /// Requests of one operation, where the scenario takes a number of them.
    pub calls: Option<u32>,
    /// How long callers wait before they give up, where they do; for compiled clients.
    pub patience_ms: Option<f64>,
    /// Expenses or landings in a list, where the scenario reads a number of them.
    pub limit: Option<u32>,
    /// Parts of each expense, where the scenario reads some.
    pub parts: Option<u32>,
    /// Which styles show a token, where the server has expenses.
    pub token_scope: Option<&'a str>,
    /// The token, where one is shown.
    pub token: Option<&'a str>,
    /// Virtual users.
    pub vus: u32,
    /// How long to start new operations.
    pub duration: Duration,
    /// Closed, open or sequential.
    pub model: LoadModel,
    /// HTTP/2 where the cell speaks HTTP/1.1; for compiled clients.
    pub http2: bool,
    /// New connections for each operation; for compiled clients.
    pub new_connection: bool,
    /// The certificate to trust, where the server speaks TLS; alone in its folder.
    pub certificate: Option<&'a Path>,
    /// Worker threads, for drivers that let them be set.
    pub workers: u32,
    /// The server's HTTP/1.1 port.
    pub http1: SocketAddr,
    /// The server's HTTP/2 port.
    pub h2c: SocketAddr,
}

impl Job<'_> {
    /// What every driver learns from the environment of its script, as `KEY=VALUE`.
    pub(super) fn variables(&self, summary: &Path) -> Vec<String> {
        let scheme = match self.certificate {
            None => "http",
            Some(_) => "https",
        };
        let mut variables = vec![
            format!("BASE_URL={scheme}://{}", self.http1),
            format!("GRPC_ADDR={}", self.h2c),
            format!("BENCH_SUMMARY={}", summary.display()),
        ];
        variables.extend(self.lines.map(|lines| format!("LINES={lines}")));
        variables.extend(self.calls.map(|calls| format!("CALLS={calls}")));
        variables.extend(self.limit.map(|limit| format!("LIMIT={limit}")));
        variables.extend(self.parts.map(|parts| format!("PARTS={parts}")));
        let scope = self.token_scope;
        variables.extend(scope.map(|scope| format!("EXPENSES_TOKENS={scope}")));
        variables.extend(self.token.map(|token| format!("EXPENSES_TOKEN={token}")));
        match self.model {
            LoadModel::Closed => {}
            LoadModel::Open { rate_per_s } => variables.push(format!("RATE={rate_per_s}")),
            LoadModel::Sequential(sequence) => variables.extend([
                format!("REPETITIONS={}", sequence.repetitions),
                format!("DROP={}", sequence.drop),
                format!("PAUSE={}ms", sequence.pause_ms),
            ]),
        }
        variables
    }
}
