//! A whole run: shares it among worker threads and puts their counts together.

use std::{future::Future, io, net::SocketAddr, pin::pin, sync::Arc, thread, time::Instant};

use tokio::sync::{mpsc, oneshot, watch};

use super::{
    LoadArgs, LoadError,
    error::system,
    household::bearer,
    settings::{Model, Settings},
    summary::summarize,
    tally::Counts,
    wire::{Encryption, resolve},
    worker::{self, Phase, Share},
};
use crate::{
    record::LoadSummary,
    target::{self, Site},
};

/// Drives the load that the arguments and the environment describe, until it is over or SIGINT or
/// SIGTERM ends it; then the summary covers what was done so far.
///
/// # Errors
/// See [`LoadError`]. A target that refuses, fails or stays silent makes failed operations instead.
pub fn run(args: &LoadArgs) -> Result<LoadSummary, LoadError> {
    let settings = Settings::resolve(args, environment)?;
    Ok(drive(settings, Signals::listen)?.summary)
}

/// The same, ended by a future instead of a signal.
///
/// # Errors
/// As [`run`].
pub fn run_until(
    args: &LoadArgs,
    stop: impl Future<Output = ()>,
) -> Result<LoadSummary, LoadError> {
    let settings = Settings::resolve(args, environment)?;
    Ok(drive(settings, || Ok(stop))?.summary)
}

/// How a run ended.
#[derive(Debug)]
pub(super) struct Outcome {
    pub summary: LoadSummary,
    /// Whether it was stopped before its time.
    pub interrupted: bool,
}

/// A variable of the process's environment; one that is not UTF-8 counts as absent.
pub(super) fn environment(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// Carries out a run; `listen` is called in a tokio runtime and gives the future that ends it.
pub(super) fn drive<S: Future<Output = ()>>(
    settings: Settings,
    listen: impl FnOnce() -> io::Result<S>,
) -> Result<Outcome, LoadError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(system("an event queue"))?;
    let outcome = runtime.block_on(async {
        let stop = listen().map_err(system("a signal handler"))?;
        conduct(settings, stop).await
    });
    // A name service that does not answer must not hold up the end.
    runtime.shutdown_background();
    outcome
}

async fn conduct(
    mut settings: Settings,
    stop: impl Future<Output = ()>,
) -> Result<Outcome, LoadError> {
    let mut stop = pin!(stop);
    let addresses = tokio::select! {
        addresses = resolve(worker::authority(&settings), settings.trust.is_some()) => addresses?,
        () = &mut stop => return Ok(Outcome {
            summary: summarize(&settings, Counts::default()),
            interrupted: true,
        }),
    };
    log_in(&mut settings).await?;
    let encryption = encryption(&settings)?;
    let settings = Arc::new(settings);
    let (phase, _) = watch::channel(Phase::Connect);
    let (connected, connections) = mpsc::unbounded_channel();
    let workers = (0..settings.workers)
        .map(|worker| {
            let share = share(&settings, &addresses, encryption.as_ref(), worker);
            spawn(share, phase.subscribe(), connected.clone())
        })
        .collect::<Result<Vec<Ending>, LoadError>>()?;
    drop(connected);

    let mut interrupted = false;
    let mut work = pin!(together(workers, connections, &phase));
    loop {
        tokio::select! {
            counts = &mut work => return Ok(Outcome {
                summary: summarize(&settings, counts?),
                interrupted,
            }),
            () = &mut stop, if !interrupted => {
                interrupted = true;
                phase.send_replace(Phase::Stop);
            }
        }
    }
}

/// How connections to where the cell's requests go are encrypted.
fn encryption(settings: &Settings) -> Result<Option<Encryption>, LoadError> {
    let authority = worker::authority(settings);
    let encryption = settings.trust.as_ref().map(|trust| {
        Encryption::new(trust, authority).map_err(|source| LoadError::Resolve {
            address: authority.to_owned(),
            source,
        })
    });
    encryption.transpose()
}

/// Gets a token where the cell shows one and none was given.
async fn log_in(settings: &mut Settings) -> Result<(), LoadError> {
    let household = &settings.household;
    let is_about_expenses = settings.cell.server.contains_key("expenses");
    if !is_about_expenses
        || household.token.is_some()
        || !household.asks_for_token(settings.cell.style)
    {
        return Ok(());
    }
    let addresses = resolve(&settings.http_authority, settings.trust.is_some()).await?;
    let Some(&address) = addresses.first() else {
        return Ok(());
    };
    let site = Site {
        address,
        trust: settings.trust.clone(),
    };
    let token = tokio::task::spawn_blocking(move || target::log_in(&site))
        .await
        .map_err(|_| LoadError::Panicked)??;
    settings.household.token = bearer(&token);
    Ok(())
}

/// Starts all workers at the same moment, when the last one is connected, and adds up their counts.
async fn together(
    workers: Vec<Ending>,
    mut connections: mpsc::UnboundedReceiver<()>,
    phase: &watch::Sender<Phase>,
) -> Result<Counts, LoadError> {
    for _ in &workers {
        // None: a worker has ended already, and its result says why.
        connections.recv().await;
    }
    phase.send_if_modified(|phase| {
        let starts = *phase == Phase::Connect;
        if starts {
            *phase = Phase::Run(Instant::now());
        }
        starts
    });
    let mut counts = Counts::default();
    for worker in workers {
        counts.merge(worker.await.map_err(|_| LoadError::Panicked)??);
    }
    Ok(counts)
}

type Ending = oneshot::Receiver<Result<Counts, LoadError>>;

fn spawn(
    share: Share,
    phase: watch::Receiver<Phase>,
    connected: mpsc::UnboundedSender<()>,
) -> Result<Ending, LoadError> {
    let (ended, ending) = oneshot::channel();
    thread::Builder::new()
        .name(format!("load-{}", share.worker))
        .spawn(move || {
            // Nobody listens when another worker has failed first.
            let _ = ended.send(worker::work(share, phase, connected));
        })
        .map_err(system("a thread"))?;
    Ok(ending)
}

/// The part of one worker: virtual users and shared iterations in equal parts, as far as they go.
fn share(
    settings: &Arc<Settings>,
    addresses: &[SocketAddr],
    encryption: Option<&Encryption>,
    worker: u32,
) -> Share {
    let vus_before = |worker: u32| {
        let before = u64::from(settings.vus) * u64::from(worker) / u64::from(settings.workers);
        u32::try_from(before).unwrap_or(settings.vus)
    };
    let (from, to) = (vus_before(worker), vus_before(worker + 1));
    let iterations_before = |vus: u32| match settings.model {
        Model::Iterations(all) => {
            let before = u128::from(all) * u128::from(vus) / u128::from(settings.vus);
            u64::try_from(before).unwrap_or(all)
        }
        Model::Closed | Model::Open(_) | Model::Sequence(_) => 0,
    };
    Share {
        settings: Arc::clone(settings),
        addresses: addresses.to_vec(),
        encryption: encryption.cloned(),
        worker,
        vus: to - from,
        iterations: iterations_before(to) - iterations_before(from),
    }
}

/// The signals that end a run.
pub(super) struct Signals;

impl Signals {
    /// A future that ends with the first SIGINT or SIGTERM. Needs a tokio runtime.
    #[cfg(unix)]
    pub(super) fn listen() -> io::Result<impl Future<Output = ()>> {
        use tokio::signal::unix::{SignalKind, signal};

        let mut interrupt = signal(SignalKind::interrupt())?;
        let mut terminate = signal(SignalKind::terminate())?;
        Ok(async move {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
        })
    }

    /// A future that ends with the first Ctrl-C.
    #[cfg(not(unix))]
    pub(super) fn listen() -> io::Result<impl Future<Output = ()>> {
        Ok(async {
            // Without a handler, Ctrl-C ends the process as it would any other.
            if tokio::signal::ctrl_c().await.is_err() {
                std::future::pending::<()>().await;
            }
        })
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Cli {
        #[command(flatten)]
        args: LoadArgs,
    }

    #[test]
    fn shares_add_up_to_the_whole() {
        for (vus, workers, iterations) in [(20, 1, 1000), (7, 3, 100), (5, 5, 3), (3, 2, u64::MAX)]
        {
            let line = format!("load a-rest -u {vus} --workers {workers} -i {iterations}");
            let args = Cli::try_parse_from(line.split(' ')).unwrap().args;
            let settings = Arc::new(Settings::resolve(&args, |_| None).unwrap());
            let shares: Vec<Share> = (0..workers)
                .map(|worker| share(&settings, &[], None, worker))
                .collect();
            assert!(shares.iter().all(|share| share.vus >= 1));
            assert_eq!(shares.iter().map(|share| share.vus).sum::<u32>(), vus);
            let sum: u64 = shares.iter().map(|share| share.iterations).sum();
            assert_eq!(sum, iterations);
        }
    }
}
