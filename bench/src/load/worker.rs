//! One thread with its share of the virtual users.

mod books;
mod events;
mod expenses;
mod given_up;
mod landings;

use std::{
    cell::Cell,
    io,
    net::SocketAddr,
    rc::Rc,
    sync::Arc,
    time::{Duration, Instant},
};

use futures_util::future::join_all;
use http::{HeaderValue, Uri};
use tokio::{
    runtime::{Builder, LocalOptions},
    sync::{mpsc, watch},
    task::JoinSet,
    time::timeout,
};

use super::{
    LoadError,
    client::Client,
    error::system,
    failure::Fault,
    schedule::{Pacer, Pauses, Schedule},
    settings::{Model, Settings},
    tally::{Counts, Tally},
    vu::{self, Manner},
    wire::{Encryption, Endpoint, HttpAnswer},
};
use crate::catalogue::Style;

/// What the engine tells its workers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Open the connections.
    Connect,
    /// Start operations at this moment.
    Run(Instant),
    /// End at once.
    Stop,
}

/// One worker's part of the run.
#[derive(Debug)]
pub(super) struct Share {
    pub settings: Arc<Settings>,
    /// What the authority of the cell resolves to.
    pub addresses: Vec<SocketAddr>,
    /// This worker's place among them, from 0.
    pub worker: u32,
    /// Its virtual users.
    pub vus: u32,
    /// Its part of shared iterations; 0 in other models.
    pub iterations: u64,
    /// How its connections are encrypted, if they are.
    pub encryption: Option<Encryption>,
}

/// Does the share's work on the calling thread. Says once when its connections are open.
pub(super) fn work(
    share: Share,
    phase: watch::Receiver<Phase>,
    connected: mpsc::UnboundedSender<()>,
) -> Result<Counts, LoadError> {
    let runtime = Builder::new_current_thread()
        .enable_all()
        .build_local(LocalOptions::default())
        .map_err(system("an event queue"))?;
    let tally = Rc::new(Tally::new(share.settings.sequence()));
    let traffic = Arc::default();
    let endpoint = Rc::new(Endpoint {
        authority: authority(&share.settings).to_owned(),
        addresses: share.addresses.clone(),
        encryption: share.encryption.clone(),
        traffic: Arc::clone(&traffic),
        tally: Rc::clone(&tally),
    });
    let worker = Worker {
        share,
        phase,
        connected,
        tally: Rc::clone(&tally),
    };
    let dropped = runtime.block_on(worker.drive_cell(&endpoint))?;
    Ok(tally.take(traffic.totals(), dropped))
}

/// Where the requests of this cell go.
pub(super) fn authority(settings: &Settings) -> &str {
    match settings.cell.style {
        Style::Grpc => &settings.grpc_authority,
        _ if settings.http2 => &settings.grpc_authority,
        Style::Rest | Style::GrpcWeb | Style::GraphQl => &settings.http_authority,
    }
}

type Check = fn(&HttpAnswer) -> Result<(), Fault>;

struct Worker {
    share: Share,
    phase: watch::Receiver<Phase>,
    connected: mpsc::UnboundedSender<()>,
    tally: Rc<Tally>,
}

impl Worker {
    /// Drives the virtual users with the clients of the cell; gives the dropped iterations.
    async fn drive_cell(self, endpoint: &Rc<Endpoint>) -> Result<u64, LoadError> {
        let host = HeaderValue::from_str(&endpoint.authority)
            .expect("an authority consists of visible ASCII");
        let cell = self.share.settings.cell.compiled_id().to_owned();
        let family = match &*self.share.settings.cell.scenario {
            "g.codec" => "m",
            scenario => scenario.split('.').next().unwrap_or_default(),
        };
        match family {
            "e" => self.drive_expenses(endpoint, &host, &cell).await,
            "m" => self.drive_landings(endpoint, &host, &cell).await,
            "s" => self.drive_events(endpoint, &host, &cell).await,
            "d" => self.drive_given_up(endpoint, &host, &cell).await,
            _ => self.drive_books(endpoint, &host, &cell).await,
        }
    }

    /// Opens the connections of all virtual users, waits for the start, and runs them until they
    /// have ended or the engine says stop.
    async fn drive<C: Client + 'static>(
        self,
        new_client: impl Fn() -> C,
    ) -> Result<u64, LoadError> {
        let Self {
            share,
            mut phase,
            connected,
            tally,
        } = self;
        let mut clients: Vec<C> = (0..share.vus).map(|_| new_client()).collect();
        let manner = Manner {
            timeout: share.settings.timeout,
            new_connection: share.settings.new_connection,
        };
        if !manner.new_connection {
            tokio::select! {
                () = open_all(&mut clients, manner.timeout) => {}
                () = stop(phase.clone()) => return Ok(0),
            }
        }
        // The engine is gone when nobody listens, and then the phase says stop.
        let _ = connected.send(());
        drop(connected);
        let Ok(Phase::Run(start)) = phase
            .wait_for(|phase| *phase != Phase::Connect)
            .await
            .map(|phase| *phase)
        else {
            return Ok(0);
        };
        let schedule = Rc::new(share.schedule(start).map_err(system("a timer"))?);
        let mut users = JoinSet::new();
        for client in clients {
            let (schedule, tally) = (Rc::clone(&schedule), Rc::clone(&tally));
            users.spawn_local(vu::run(client, schedule, tally, manner));
        }
        let stopped = stop(phase);
        tokio::pin!(stopped);
        loop {
            tokio::select! {
                ended = users.join_next() => match ended {
                    None => break,
                    Some(Ok(result)) => result.map_err(system("a timer"))?,
                    Some(Err(_)) => return Err(LoadError::Panicked),
                },
                () = &mut stopped => {
                    users.shutdown().await;
                    break;
                }
            }
        }
        Ok(schedule.dropped(Instant::now()))
    }
}

impl Share {
    /// Needs a tokio runtime.
    fn schedule(&self, start: Instant) -> io::Result<Schedule> {
        let until = start + self.settings.duration;
        Ok(match self.settings.model {
            Model::Closed => Schedule::Closed { until },
            Model::Iterations(_) => Schedule::Iterations {
                left: Cell::new(self.iterations),
                until,
            },
            Model::Sequence(sequence) => Schedule::Sequence(Pauses::new(sequence, until)?),
            Model::Open(rate) => Schedule::Open(Pacer::new(
                rate,
                self.worker,
                self.settings.workers,
                start,
                until,
            )?),
        })
    }
}

/// Opens what can be opened. What cannot be is tried again by the first operation, which fails
/// with the reason.
async fn open_all<C: Client>(clients: &mut [C], limit: Duration) {
    join_all(clients.iter_mut().map(|client| async move {
        if !matches!(timeout(limit, client.open()).await, Ok(Ok(()))) {
            client.reset();
        }
    }))
    .await;
}

async fn stop(mut phase: watch::Receiver<Phase>) {
    // An engine that is gone stops its workers, too.
    let _ = phase.wait_for(|phase| *phase == Phase::Stop).await;
}

fn call(endpoint: &Endpoint, path: &str) -> Uri {
    Uri::builder()
        .scheme(endpoint.scheme())
        .authority(endpoint.authority.as_str())
        .path_and_query(path)
        .build()
        .expect("the authority was parsed and the path is ours")
}
