//! One thread with its share of the virtual users.

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
    client::{
        Beside, BookResources, Client, Costly, ExpenseCall, GrpcCall, GrpcEvents, GrpcGivenUp,
        GrpcInTurn, GrpcResources, Http2Operation, HttpEvents, HttpGivenUp, HttpInTurn,
        HttpOperation, OneList, TwoLists, WebSocketEvents,
    },
    error::system,
    failure::Fault,
    schedule::{Pacer, Pauses, Schedule},
    settings::{Model, Settings},
    style::{
        Order, costly,
        events::{self, Format, WATCH_EVENTS},
        expenses,
        graphql::{self, Named},
        greeting, grpc_web,
        message::{
            self, GET_BOOK_DETAIL, RESERVE_STOCK, book_detail_request, book_detail_request_of,
        },
        rest,
        screen::BOOK_ID,
        work::{self, RELAY_WORK},
    },
    tally::{Counts, Tally},
    vu::{self, Manner},
    wire::{Endpoint, GrpcMethod, HttpAnswer, HttpRequest},
};
use crate::{catalogue::Style, costly::Shape};

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

/// The request of a cell whose operation is one HTTP request, and what its answer has to be.
fn single_request(cell: &str, host: &HeaderValue, order: &Order) -> Option<(HttpRequest, Check)> {
    let reserve = |named| graphql::reserve_stock(host, named, order);
    let screen = |named| graphql::book_detail(host, named);
    let (request, check): (_, Check) = match cell {
        "a-rest" => (rest::reserve_stock(host, order), rest::check_reservation),
        "a-graphql" => (reserve(Named::Text), graphql::check_reservation),
        "a-graphql-hash" => (reserve(Named::Hash), graphql::check_reservation),
        "a-graphql-id" => (reserve(Named::Id), graphql::check_reservation),
        "a-grpcweb" => (
            grpc_web::reserve_stock(host, order),
            grpc_web::check_reservation,
        ),
        "g-hello-rest" => (greeting::same_text(host), greeting::check_same_text),
        "g-hello-rest-own" => (greeting::own_text(host), greeting::check_own_text),
        "b-rest-bff" => (rest::screen(host), rest::check_screen),
        "b-graphql" => (screen(Named::Text), graphql::check_book_detail),
        "b-graphql-hash" => (screen(Named::Hash), graphql::check_book_detail),
        "b-graphql-id" => (screen(Named::Id), graphql::check_book_detail),
        "b-graphql-get" => (
            graphql::book_detail_by_get(host),
            graphql::check_book_detail,
        ),
        "b-grpcweb" => (grpc_web::book_detail(host), grpc_web::check_book_detail),
        "q-deep" => (costly::query(host, Shape::Deep), costly::check),
        "q-wide" => (costly::query(host, Shape::Wide), costly::check),
        "q-alias" => (costly::query(host, Shape::Aliased), costly::check),
        "q-list" => (costly::query(host, Shape::Amplified), costly::check),
        _ => return None,
    };
    Some((request, check))
}

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
        let order = Order::with_lines(self.share.settings.lines.unwrap_or(0));
        let cell = self.share.settings.cell.compiled_id().to_owned();
        if let Some((request, check)) = single_request(&cell, &host, &order) {
            return self.drive_request(endpoint, request, check).await;
        }
        let household = Rc::new(self.share.settings.household.clone());
        if let Some((request, check)) = expenses::single_request(&cell, &host, &household) {
            return self
                .drive(|| OneList::new(endpoint, request.clone(), &household, check))
                .await;
        }
        if let Some(list) = expenses::call(&cell, &household) {
            let uri = call(endpoint, expenses::LIST_EXPENSES);
            let method = GrpcMethod::new(uri).authorized(household.token_of(Style::Grpc));
            return self
                .drive(|| ExpenseCall::new(endpoint, method.clone(), list.clone(), &household))
                .await;
        }
        match cell.as_str() {
            "e-A-rest" | "e-A-rest-parallel" => {
                let connections = self.share.settings.cell.connections_per_vu;
                let lists = expenses::both(&host, &household);
                self.drive(|| TwoLists::new(endpoint, connections, lists.clone(), &household))
                    .await
            }
            "a-grpc" => {
                let (uri, message) = (call(endpoint, RESERVE_STOCK), order.to_message());
                let check = message::check_reservation;
                self.drive(|| GrpcCall::new(endpoint, uri.clone(), message.clone(), check))
                    .await
            }
            "b-grpc" => {
                let (uri, message) = (call(endpoint, GET_BOOK_DETAIL), book_detail_request());
                let check = message::check_book_detail;
                self.drive(|| GrpcCall::new(endpoint, uri.clone(), message, check))
                    .await
            }
            "b-grpc-resources" => {
                self.drive(|| GrpcResources::new(endpoint, |method| call(endpoint, method)))
                    .await
            }
            "b-rest" => self.drive(|| BookResources::new(endpoint, &host)).await,
            "b-rest-fields" => self.drive(|| BookResources::sparse(endpoint, &host)).await,
            "b-rest-etag" | "b-rest-max-age" => {
                self.drive(|| BookResources::cached(endpoint, &host)).await
            }
            "b-graphql-max-age" => {
                let request = graphql::book_detail_by_get(&host);
                let check = graphql::check_book_detail;
                self.drive(|| HttpOperation::cached(endpoint, request.clone(), check))
                    .await
            }
            "b-calls-rest" => {
                let requests = self.books(|book| rest::screen_of(&host, book));
                let check = rest::check_screen_of;
                self.drive(|| HttpInTurn::new(endpoint, Rc::clone(&requests), check))
                    .await
            }
            "b-calls-graphql" => {
                let requests = self.books(|book| graphql::book_detail_of(&host, Named::Text, book));
                let check = graphql::check_book_detail_of;
                self.drive(|| HttpInTurn::new(endpoint, Rc::clone(&requests), check))
                    .await
            }
            "b-calls-grpcweb" => {
                let requests = self.books(|book| grpc_web::book_detail_of(&host, book));
                let check = grpc_web::check_book_detail_of;
                self.drive(|| HttpInTurn::new(endpoint, Rc::clone(&requests), check))
                    .await
            }
            "b-calls-grpc" => {
                let uri = call(endpoint, GET_BOOK_DETAIL);
                let messages = self.books(book_detail_request_of);
                self.drive(|| GrpcInTurn::new(endpoint, uri.clone(), Rc::clone(&messages)))
                    .await
            }
            "s-stream-grpc" => {
                let uri = call(endpoint, WATCH_EVENTS);
                self.drive(|| GrpcEvents::new(endpoint, uri.clone())).await
            }
            "s-stream-grpcweb" => {
                self.drive_events(endpoint, events::by_grpc_web(&host), Format::GrpcWeb)
                    .await
            }
            "s-stream-sse" => {
                self.drive_events(endpoint, events::by_sse(&host), Format::Sse)
                    .await
            }
            "s-stream-graphql-sse" => {
                self.drive_events(endpoint, events::by_graphql_sse(&host), Format::GraphqlSse)
                    .await
            }
            "s-stream-graphql-ws" => self.drive(|| WebSocketEvents::new(endpoint)).await,
            "d-deadline-grpc" => {
                let uri = call(endpoint, RELAY_WORK);
                let patience = self.share.settings.patience;
                self.drive(|| GrpcGivenUp::new(endpoint, uri.clone(), patience))
                    .await
            }
            "d-deadline-rest" => {
                let request = work::by_rest(&host);
                let patience = self.share.settings.patience;
                self.drive(|| HttpGivenUp::new(endpoint, request.clone(), patience))
                    .await
            }
            "q-beside" => self.drive_beside(endpoint, &host).await,
            "g-hello-grpc" => {
                let uri = call(endpoint, greeting::SAY_HELLO);
                let check = greeting::check_reply;
                self.drive(|| GrpcCall::new(endpoint, uri.clone(), greeting::hello(), check))
                    .await
            }
            _ => self.drive_landings(endpoint, &host, &cell).await,
        }
    }

    /// Reads streams of events over HTTP/1.1.
    async fn drive_events(
        self,
        endpoint: &Rc<Endpoint>,
        request: HttpRequest,
        format: Format,
    ) -> Result<u64, LoadError> {
        self.drive(|| HttpEvents::new(endpoint, request.clone(), format))
            .await
    }

    /// Drives ordinary queries; one virtual user of all has a costly one sent beside them.
    async fn drive_beside(
        self,
        endpoint: &Rc<Endpoint>,
        host: &HeaderValue,
    ) -> Result<u64, LoadError> {
        let ordinary = graphql::book_detail(host, Named::Text);
        let query = costly::query(host, Shape::Amplified);
        let is_first = Cell::new(self.share.worker == 0);
        self.drive(|| {
            let check = graphql::check_book_detail;
            let operation = HttpOperation::new(endpoint, ordinary.clone(), check);
            let costly = is_first
                .take()
                .then(|| Costly::new(endpoint, query.clone()));
            Beside::new(operation, costly)
        })
        .await
    }

    /// The requests of one operation, one for each book from the first on.
    fn books<T>(&self, request: impl Fn(i32) -> T) -> Rc<[T]> {
        let books = (BOOK_ID..).take(self.share.settings.calls as usize);
        books.map(request).collect()
    }

    /// Drives operations of one request over the HTTP version of the settings.
    async fn drive_request(
        self,
        endpoint: &Rc<Endpoint>,
        request: HttpRequest,
        check: Check,
    ) -> Result<u64, LoadError> {
        if self.share.settings.http2 {
            self.drive(|| Http2Operation::new(endpoint, request.clone(), check))
                .await
        } else {
            self.drive(|| HttpOperation::new(endpoint, request.clone(), check))
                .await
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
        .scheme("http")
        .authority(endpoint.authority.as_str())
        .path_and_query(path)
        .build()
        .expect("the authority was parsed and the path is ours")
}
