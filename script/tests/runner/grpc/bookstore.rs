//! The real Bookstore server in the test's own process.

use std::{sync::mpsc, thread};

use bookstore_server::{Addresses, BuildFacts, Server, ServerConfig};
use clap::Parser;
use tokio::{runtime, sync::oneshot};

#[derive(Parser)]
struct Cli {
    #[command(flatten)]
    server: ServerConfig,
}

/// Ends with the value.
pub struct Bookstore {
    pub addresses: Addresses,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Bookstore {
    pub fn start() -> Self {
        let ports = ["serve", "--http-port=0", "--h2c-port=0"];
        let config = Cli::try_parse_from(ports).unwrap().server;
        let build = BuildFacts {
            version: "0",
            git_revision: None,
            build_profile: "debug",
            allocator: "system",
        };
        let (stop, stopped) = oneshot::channel();
        let (started, addresses) = mpsc::channel();
        let thread = thread::spawn(move || {
            let runtime = runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(async {
                let server = Server::bind(&config, build).await.unwrap();
                started.send(server.addresses()).unwrap();
                server
                    .run(async {
                        let _ = stopped.await;
                    })
                    .await;
            });
        });
        Self {
            addresses: addresses.recv().unwrap(),
            stop: Some(stop),
            thread: Some(thread),
        }
    }
}

impl Drop for Bookstore {
    fn drop(&mut self) {
        drop(self.stop.take());
        let _ = self.thread.take().unwrap().join();
    }
}
