//! Ordinary operations beside one client that asks something costly.

use std::{rc::Rc, sync::Arc, time::Duration};

use tokio::{
    task::JoinHandle,
    time::{MissedTickBehavior, interval},
};

use super::{Client, HttpOperation};
use crate::load::{
    failure::OperationError,
    tally::Tally,
    wire::{Endpoint, HttpConnection, HttpRequest},
};

/// How often the costly request is sent; later when the one before is not answered yet.
const EVERY: Duration = Duration::from_millis(50);

/// An operation like any other. What the costly requests send and receive is not counted with it.
#[derive(Debug)]
pub(in crate::load) struct Beside {
    ordinary: HttpOperation,
    /// With one of all virtual users.
    costly: Option<Costly>,
}

/// A client that begins with the first operation and ends when this is dropped.
#[derive(Debug)]
pub(in crate::load) struct Costly {
    endpoint: Rc<Endpoint>,
    request: HttpRequest,
    task: Option<JoinHandle<()>>,
}

impl Beside {
    pub(in crate::load) fn new(ordinary: HttpOperation, costly: Option<Costly>) -> Self {
        Self { ordinary, costly }
    }
}

impl Costly {
    /// Sends `request` to where `endpoint` leads.
    pub(in crate::load) fn new(endpoint: &Endpoint, request: HttpRequest) -> Self {
        let uncounted = Endpoint {
            authority: endpoint.authority.clone(),
            addresses: endpoint.addresses.clone(),
            encryption: endpoint.encryption.clone(),
            traffic: Arc::default(),
            tally: Rc::new(Tally::new(None)),
        };
        Self {
            endpoint: Rc::new(uncounted),
            request,
            task: None,
        }
    }

    fn begin(&mut self) {
        if self.task.is_none() {
            let asking = ask_on_and_on(Rc::clone(&self.endpoint), self.request.clone());
            self.task = Some(tokio::task::spawn_local(asking));
        }
    }
}

impl Drop for Costly {
    fn drop(&mut self) {
        if let Some(task) = &self.task {
            task.abort();
        }
    }
}

/// Whether it is answered or refused is the server's affair.
async fn ask_on_and_on(endpoint: Rc<Endpoint>, request: HttpRequest) {
    let mut connection = HttpConnection::new(&endpoint);
    let mut turn = interval(EVERY);
    turn.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        turn.tick().await;
        if connection.exchange(&request).await.is_err() {
            connection.reset();
        }
    }
}

impl Client for Beside {
    async fn open(&mut self) -> Result<(), OperationError> {
        self.ordinary.open().await
    }

    async fn operate(&mut self) -> Result<(), OperationError> {
        if let Some(costly) = &mut self.costly {
            costly.begin();
        }
        self.ordinary.operate().await
    }

    fn reset(&mut self) {
        self.ordinary.reset();
    }

    async fn close(&mut self) {
        self.costly = None;
        self.ordinary.close().await;
    }
}
