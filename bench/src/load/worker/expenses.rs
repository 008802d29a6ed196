//! The cells about the expenses of a household.

use std::rc::Rc;

use http::HeaderValue;

use super::{Worker, call};
use crate::{
    catalogue::Style,
    load::{
        LoadError,
        client::{ExpenseCall, OneList, TwoLists},
        style::expenses,
        wire::{Endpoint, GrpcMethod},
    },
};

impl Worker {
    /// Drives the cells of scenarios e.*.
    pub(super) async fn drive_expenses(
        self,
        endpoint: &Rc<Endpoint>,
        host: &HeaderValue,
        cell: &str,
    ) -> Result<u64, LoadError> {
        let household = Rc::new(self.share.settings.household.clone());
        if let Some((request, check)) = expenses::single_request(cell, host, &household) {
            return self
                .drive(|| OneList::new(endpoint, request.clone(), &household, check))
                .await;
        }
        if let Some(list) = expenses::call(cell, &household) {
            let uri = call(endpoint, expenses::LIST_EXPENSES);
            let method = GrpcMethod::new(uri).authorized(household.token_of(Style::Grpc));
            return self
                .drive(|| ExpenseCall::new(endpoint, method.clone(), list.clone(), &household))
                .await;
        }
        match cell {
            "e-A-rest" | "e-A-rest-parallel" => {
                let connections = self.share.settings.cell.connections_per_vu;
                let lists = expenses::both(host, &household);
                self.drive(|| TwoLists::new(endpoint, connections, lists.clone(), &household))
                    .await
            }
            _ => Err(LoadError::NoClient {
                cell: cell.to_owned(),
            }),
        }
    }
}
