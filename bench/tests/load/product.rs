//! The product's own server, for cells that no small server of a test answers.

use std::{
    net::SocketAddr,
    thread::{self, JoinHandle},
};

use bookstore_server::{BuildFacts, Server, ServerConfig};
use clap::Parser as _;
use tokio::sync::oneshot;

#[derive(clap::Parser)]
struct Command {
    #[command(flatten)]
    server: ServerConfig,
}

/// A running server; it ends with this.
pub struct Product {
    pub http1: SocketAddr,
    pub h2c: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Product {
    /// With these flags.
    pub fn start(flags: &[&str]) -> Self {
        let first = ["serve", "--http-port=0", "--h2c-port=0"];
        let config = Command::try_parse_from(first.iter().chain(flags)).unwrap();
        let (stop, stopped) = oneshot::channel();
        let (tell, told) = std::sync::mpsc::channel();
        let thread = thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(async {
                let build = BuildFacts {
                    version: "1.2.3",
                    git_revision: None,
                    build_profile: "debug",
                    allocator: "system",
                };
                let server = Server::bind(&config.server, build).await.unwrap();
                tell.send(server.addresses()).unwrap();
                server
                    .run(async {
                        let _ = stopped.await;
                    })
                    .await;
            });
        });
        let addresses = told.recv().unwrap();
        Self {
            http1: addresses.http1,
            h2c: addresses.h2c,
            stop: Some(stop),
            thread: Some(thread),
        }
    }
}

impl Drop for Product {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let ended = thread.join();
            assert!(ended.is_ok() || thread::panicking());
        }
    }
}
