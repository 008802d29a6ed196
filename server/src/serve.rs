//! The whole life of a server process: threads, addresses on standard output, signals.

use std::{
    io::{self, Write},
    time::Duration,
};

use tokio::runtime::{Builder, Runtime};
use tracing::level_filters::LevelFilter;

use crate::{Addresses, BuildFacts, LogLevel, ServeError, Server, ServerConfig};

/// Serves until SIGINT or SIGTERM (Ctrl-C elsewhere than on Unix), prints the two addresses to
/// standard output when both ports listen, and blocks for all that time. Requests in flight get
/// the configured grace; a second signal ends it at once.
///
/// # Errors
/// [`ServeError`]: it could not start, or a second signal cut requests off.
pub fn serve(config: &ServerConfig, build: BuildFacts) -> Result<(), ServeError> {
    log_to_stderr(config.log_level);
    let runtime = runtime(config.workers)?;
    let outcome = runtime.block_on(serve_until_signal(config, build));
    // Connections that outlived their grace must not hold the process.
    runtime.shutdown_timeout(Duration::ZERO);
    outcome
}

async fn serve_until_signal(config: &ServerConfig, build: BuildFacts) -> Result<(), ServeError> {
    let mut signals = Signals::install().map_err(ServeError::Signals)?;
    let server = Server::bind(config, build).await?;
    let (addresses, is_encrypted) = (server.addresses(), server.is_encrypted());
    announce(&mut io::stdout().lock(), addresses, is_encrypted).map_err(ServeError::Announce)?;
    let (stop, stopped) = tokio::sync::oneshot::channel();
    let running = server.run(async {
        // An error means that the sender is gone, which is a reason to stop as well.
        let _ = stopped.await;
    });
    let second_signal = async move {
        signals.next().await;
        // The receiver is gone only when the server has ended.
        let _ = stop.send(());
        signals.next().await;
    };
    tokio::select! {
        () = running => Ok(()),
        () = second_signal => Err(ServeError::CutOff),
    }
}

/// Multi-threaded even for one worker, so that only the number differs.
fn runtime(workers: usize) -> Result<Runtime, ServeError> {
    Builder::new_multi_thread()
        .worker_threads(workers)
        .thread_name("bookstore")
        .enable_all()
        .build()
        .map_err(|source| ServeError::Workers { workers, source })
}

/// Exactly these two lines; the process that started the server reads the ports from them.
fn announce(
    out: &mut impl Write,
    Addresses { http1, h2c }: Addresses,
    is_encrypted: bool,
) -> io::Result<()> {
    let (scheme, http2) = if is_encrypted {
        ("https", "h2")
    } else {
        ("http", "h2c")
    };
    writeln!(
        out,
        "listening on {scheme}://{http1} (HTTP/1.1: REST, GraphQL, gRPC-Web)"
    )?;
    writeln!(
        out,
        "listening on {scheme}://{h2c} ({http2}: gRPC, gRPC-Web)"
    )?;
    out.flush()
}

fn log_to_stderr(level: LogLevel) {
    if level == LogLevel::Off {
        return;
    }
    // Fails only when the process has a subscriber already, which then stays.
    let _ = tracing_subscriber::fmt()
        .with_writer(io::stderr)
        .with_max_level(LevelFilter::from(level))
        .try_init();
}

/// Termination signals from the moment of installing on.
#[cfg(unix)]
struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn install() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}

/// Ctrl-C, the only signal that every system has.
#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    #[expect(clippy::unnecessary_wraps, reason = "the same signature as on Unix")]
    fn install() -> io::Result<Self> {
        Ok(Self)
    }

    async fn next(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn announces_exactly_two_lines() {
        let addresses = Addresses {
            http1: "127.0.0.1:5300".parse().unwrap(),
            h2c: "127.0.0.1:5301".parse().unwrap(),
        };
        let announced = |is_encrypted| {
            let mut out = Vec::new();
            announce(&mut out, addresses, is_encrypted).unwrap();
            String::from_utf8(out).unwrap()
        };
        assert_eq!(
            announced(false),
            "listening on http://127.0.0.1:5300 (HTTP/1.1: REST, GraphQL, gRPC-Web)\n\
             listening on http://127.0.0.1:5301 (h2c: gRPC, gRPC-Web)\n"
        );
        assert_eq!(
            announced(true),
            "listening on https://127.0.0.1:5300 (HTTP/1.1: REST, GraphQL, gRPC-Web)\n\
             listening on https://127.0.0.1:5301 (h2: gRPC, gRPC-Web)\n"
        );
    }
}
