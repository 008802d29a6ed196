//! What is around the wrapper.

use std::{
    env,
    ffi::OsString,
    fs, io,
    net::{Ipv4Addr, TcpListener},
    path::PathBuf,
};

use crate::{build, machine, record::Machine};

/// The server's ports unless told otherwise.
const DEFAULT_PORTS: [u16; 2] = [5300, 5301];
/// What is around the wrapper.
#[derive(Debug)]
pub struct Surroundings {
    /// Facts about the machine.
    pub machine: Machine,
    /// Each port that is looked at, and whether it can be listened on at 127.0.0.1; port 0 stands
    /// for any port.
    pub ports: Vec<(u16, io::Result<()>)>,
    /// The wrapper's own executable, which it starts again as server and as load.
    pub executable: io::Result<PathBuf>,
    /// `release` or `debug`.
    pub build_profile: String,
    /// Whether the kernel offers `tc netem`, when known.
    pub netem: Option<bool>,
    /// Where programs are looked up.
    pub search_path: Option<OsString>,
}

impl Surroundings {
    /// Looks around. No program is run.
    #[must_use]
    pub fn of(machine: Machine) -> Self {
        let try_port = |port| {
            (
                port,
                TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map(drop),
            )
        };
        Self {
            machine,
            ports: [0].into_iter().chain(DEFAULT_PORTS).map(try_port).collect(),
            executable: env::current_exe().and_then(fs::canonicalize),
            build_profile: build::PROFILE.to_owned(),
            netem: machine::has_netem(),
            search_path: env::var_os("PATH"),
        }
    }
}
