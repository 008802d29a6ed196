//! Operations of the expenses in gRPC.

use std::rc::Rc;

use bookstore_proto::v1::{ListExpensesRequest, ListExpensesResponse};

use super::Client;
use crate::load::{
    failure::OperationError,
    household::Household,
    style::expenses::MessageCheck,
    wire::{Endpoint, GrpcMethod, Http2Connection},
};

/// Asks for the same list again and again over one connection.
#[derive(Debug)]
pub(in crate::load) struct ExpenseCall {
    connection: Http2Connection,
    method: GrpcMethod,
    message: ListExpensesRequest,
    household: Rc<Household>,
    check: MessageCheck,
}

impl ExpenseCall {
    pub(in crate::load) fn new(
        endpoint: &Rc<Endpoint>,
        method: GrpcMethod,
        (message, check): (ListExpensesRequest, MessageCheck),
        household: &Rc<Household>,
    ) -> Self {
        Self {
            connection: Http2Connection::new(endpoint),
            method,
            message,
            household: Rc::clone(household),
            check,
        }
    }
}

impl Client for ExpenseCall {
    async fn open(&mut self) -> Result<(), OperationError> {
        self.connection.open().await
    }

    async fn operate(&mut self) -> Result<(), OperationError> {
        let answer: ListExpensesResponse =
            self.connection.call(&self.method, &self.message).await?;
        (self.check)(&answer, &self.household).map_err(|fault| OperationError::Answer {
            request: self.method.name(),
            fault,
        })
    }

    fn reset(&mut self) {
        self.connection.reset();
    }

    async fn close(&mut self) {
        self.connection.close().await;
    }
}
