//! A floor server as a process.

use std::net::{Ipv4Addr, SocketAddr};

use anyhow::Context;
use clap::Parser;
use floor::{Memory, Protocol, Teacher};
use tokio::{
    net::TcpListener,
    signal::unix::{SignalKind, signal},
};

/// The allocator of the target server, so that the two differ in what they do and not in how they allocate.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Answers with the bytes of another server, with no routing and no codec.
///
/// The first request of each path goes to the server at --learn; its answer is replayed from then on.
#[derive(Parser)]
#[command(
    version,
    after_help = "Example:\n  floor --protocol http1 --learn http://127.0.0.1:5300 --answers 4 --port 5400"
)]
struct Options {
    /// What to speak, to clients and to the server learned from
    #[arg(long, value_enum)]
    protocol: Protocol,
    /// The server to learn answers from
    #[arg(long, value_name = "http://HOST:PORT")]
    learn: String,
    /// How many different requests (paths with query) will come
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64))]
    answers: u16,
    /// Port on 127.0.0.1; 0 takes a free one
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// Worker threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    workers: u16,
}

fn main() -> anyhow::Result<()> {
    let options = Options::parse();
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(usize::from(options.workers))
        .enable_all()
        .build()
        .context("cannot start the runtime")?
        .block_on(run(&options))
}

async fn run(options: &Options) -> anyhow::Result<()> {
    let teacher = Teacher::new(&options.learn, options.protocol)?;
    // Lives as long as the process.
    let memory: &'static Memory =
        Box::leak(Box::new(Memory::new(teacher, usize::from(options.answers))));
    let wanted = SocketAddr::from((Ipv4Addr::LOCALHOST, options.port));
    let listener = TcpListener::bind(wanted)
        .await
        .with_context(|| format!("cannot listen on {wanted}; give another --port"))?;
    println!("listening on http://{}", listener.local_addr()?);

    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    // Spawned, so that connections are accepted on a worker and not on the main thread.
    let serving = tokio::spawn(floor::serve(listener, options.protocol, memory));
    tokio::select! {
        served = serving => served.context("the accept loop ended")?.map_err(Into::into),
        _ = terminate.recv() => Ok(()),
        _ = interrupt.recv() => Ok(()),
    }
}
