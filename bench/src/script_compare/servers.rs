//! The servers that a script is sent to, each behind a relay.

use std::{
    env,
    net::{SocketAddr, TcpStream},
    path::Path,
    time::Duration,
};

use super::{
    args::ScriptCompareArgs,
    endpoint::{Endpoint, Value},
    error::CompareError,
    relay::Relay,
    traffic::Traffic,
};
use crate::target::{Target, TargetOptions};

/// The variables by which the suite's scripts learn where the server is.
const SUITE: [&str; 2] = ["BASE_URL", "GRPC_ADDR"];
/// How long a server may take to accept a connection.
const PATIENCE: Duration = Duration::from_secs(5);

/// Relays, the variables that lead to them, and a server of ours where none was named.
pub(super) struct Servers {
    relays: Vec<(String, Relay)>,
    variables: Vec<(String, String)>,
    encrypted: Vec<String>,
    ours: Option<Target>,
}

impl Servers {
    /// Opens a relay for every variable that names a server.
    ///
    /// # Errors
    /// A server does not answer, ours does not start, or there is no port for a relay.
    pub(super) fn open(args: &ScriptCompareArgs, executable: &Path) -> Result<Self, CompareError> {
        let mut servers = Self {
            relays: Vec::new(),
            variables: Vec::new(),
            encrypted: Vec::new(),
            ours: None,
        };
        for (name, value) in named(args) {
            match Value::of(&value) {
                Value::Address(endpoint) => servers.relay(name, &value, &endpoint)?,
                Value::Encrypted => {
                    servers.encrypted.push(name.clone());
                    servers.variables.push((name, value));
                }
                Value::Other => servers.variables.push((name, value)),
            }
        }
        let names_one = |(name, _): &(String, String)| SUITE.contains(&name.as_str());
        if servers.relays.is_empty() && !servers.variables.iter().any(names_one) {
            servers.start_ours(executable)?;
        }
        Ok(servers)
    }

    /// The variables for both runs.
    pub(super) fn variables(&self) -> &[(String, String)] {
        &self.variables
    }

    /// Variables whose servers could not be relayed.
    pub(super) fn encrypted(&self) -> &[String] {
        &self.encrypted
    }

    /// What was sent since the last call; the client must have ended.
    ///
    /// # Errors
    /// A relay is broken, or the server of ours has died.
    pub(super) fn take_traffic(&self) -> Result<Traffic, CompareError> {
        if let Some(ours) = &self.ours {
            ours.check_alive()?;
        }
        let mut traffic = Traffic::default();
        for (variable, relay) in &self.relays {
            traffic.add(variable, &relay.take().map_err(CompareError::Relay)?);
        }
        Ok(traffic)
    }

    fn relay(
        &mut self,
        variable: String,
        value: &str,
        endpoint: &Endpoint,
    ) -> Result<(), CompareError> {
        let server = endpoint
            .resolve()
            .and_then(|server| TcpStream::connect_timeout(&server, PATIENCE).map(|_| server))
            .map_err(|source| CompareError::Silent {
                variable: variable.clone(),
                value: value.to_owned(),
                source,
            })?;
        let address = self.open_relay(&variable, server)?;
        (self.variables).push((variable, endpoint.through(address)));
        Ok(())
    }

    fn start_ours(&mut self, executable: &Path) -> Result<(), CompareError> {
        let ours = Target::spawn(executable, &TargetOptions::with_workers(1))?;
        let [base_url, grpc_addr] = SUITE;
        let http = self.open_relay(base_url, ours.http_address())?;
        let h2c = self.open_relay(grpc_addr, ours.h2c_address())?;
        self.variables
            .push((base_url.to_owned(), format!("http://{http}")));
        self.variables.push((grpc_addr.to_owned(), h2c.to_string()));
        self.ours = Some(ours);
        Ok(())
    }

    fn open_relay(
        &mut self,
        variable: &str,
        server: SocketAddr,
    ) -> Result<SocketAddr, CompareError> {
        let relay = Relay::open(server).map_err(CompareError::Relay)?;
        let address = relay.address();
        self.relays.push((variable.to_owned(), relay));
        Ok(address)
    }
}

/// The variables of the command line, and those of the suite that the system has.
fn named(args: &ScriptCompareArgs) -> Vec<(String, String)> {
    let mut named = args.env.clone();
    for name in SUITE {
        let is_given = named.iter().any(|(given, _)| given == name);
        if let Some(value) = env::var(name).ok().filter(|_| !is_given) {
            named.push((name.to_owned(), value));
        }
    }
    named
}
