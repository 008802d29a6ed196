//! Operations of the expenses: one request, or REST's two lists put together.

use std::rc::Rc;

use futures_util::join;

use super::{Client, http_request::checked};
use crate::load::{
    failure::OperationError,
    household::Household,
    style::expenses::{self, Check},
    wire::{Endpoint, HttpAnswer, HttpConnection, HttpRequest},
};

/// Sends the same request again and again over one connection.
#[derive(Debug)]
pub(in crate::load) struct OneList {
    connection: HttpConnection,
    request: HttpRequest,
    household: Rc<Household>,
    check: Check,
}

impl OneList {
    pub(in crate::load) fn new(
        endpoint: &Rc<Endpoint>,
        request: HttpRequest,
        household: &Rc<Household>,
        check: Check,
    ) -> Self {
        Self {
            connection: HttpConnection::new(endpoint),
            request,
            household: Rc::clone(household),
            check,
        }
    }
}

impl Client for OneList {
    async fn open(&mut self) -> Result<(), OperationError> {
        self.connection.open().await
    }

    async fn operate(&mut self) -> Result<(), OperationError> {
        let answer = self.connection.exchange(&self.request).await?;
        checked(&self.request, (self.check)(&answer, &self.household))
    }

    fn reset(&mut self) {
        self.connection.reset();
    }

    async fn close(&mut self) {
        self.connection.close().await;
    }
}

/// Reads expenses and users and gives every expense its payee: over one connection one after the other,
/// over two at the same time.
#[derive(Debug)]
pub(in crate::load) struct TwoLists {
    connections: Vec<HttpConnection>,
    expenses: HttpRequest,
    users: HttpRequest,
    household: Rc<Household>,
}

impl TwoLists {
    pub(in crate::load) fn new(
        endpoint: &Rc<Endpoint>,
        connections: u32,
        (expenses, users): (HttpRequest, HttpRequest),
        household: &Rc<Household>,
    ) -> Self {
        Self {
            connections: (0..connections)
                .map(|_| HttpConnection::new(endpoint))
                .collect(),
            expenses,
            users,
            household: Rc::clone(household),
        }
    }

    async fn lists(&mut self) -> Result<(HttpAnswer, HttpAnswer), OperationError> {
        match &mut self.connections[..] {
            [first, second, ..] => {
                // Both to the end, also after an error: a half-read answer would spoil its connection.
                let both = join!(first.exchange(&self.expenses), second.exchange(&self.users));
                Ok((both.0?, both.1?))
            }
            [only] => {
                let expenses = only.exchange(&self.expenses).await?;
                Ok((expenses, only.exchange(&self.users).await?))
            }
            [] => unreachable!("a cell has a connection"),
        }
    }
}

impl Client for TwoLists {
    async fn open(&mut self) -> Result<(), OperationError> {
        for connection in &mut self.connections {
            connection.open().await?;
        }
        Ok(())
    }

    async fn operate(&mut self) -> Result<(), OperationError> {
        let (expenses, users) = self.lists().await?;
        let merged = expenses::merge(&expenses, &users, &self.household);
        checked(&self.expenses, merged)
    }

    fn reset(&mut self) {
        self.connections.iter_mut().for_each(HttpConnection::reset);
    }

    async fn close(&mut self) {
        for connection in &mut self.connections {
            connection.close().await;
        }
    }
}
