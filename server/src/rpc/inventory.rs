//! `bookstore.bench.v1.InventoryService`.

use std::fmt;

use bookstore_proto::v1::{
    ReserveStockRequest, ReserveStockResponse, inventory_service_server::InventoryService,
};
use tonic::{Request, Response, Status};
use uuid::Uuid;

use super::status::status_of;
use crate::domain::{Line, Order, Reservation, SharedBookstore, reach};

/// The service over a store.
pub struct InventoryRpc {
    store: SharedBookstore,
}

impl InventoryRpc {
    /// The service over `store`.
    #[must_use]
    pub fn new(store: SharedBookstore) -> Self {
        Self { store }
    }
}

impl fmt::Debug for InventoryRpc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InventoryRpc").finish_non_exhaustive()
    }
}

#[tonic::async_trait]
impl InventoryService for InventoryRpc {
    async fn reserve_stock(
        &self,
        request: Request<ReserveStockRequest>,
    ) -> Result<Response<ReserveStockResponse>, Status> {
        let message = request.get_ref();
        let lines: Vec<Line<'_>> = message
            .lines
            .iter()
            .map(|line| Line {
                isbn: &line.isbn,
                quantity: line.quantity,
            })
            .collect();
        let order = Order {
            order_id: &message.order_id,
            lines: &lines,
        };
        reach(&*self.store).await;
        let reservation = self
            .store
            .reserve(&order)
            .map_err(|error| status_of(&error))?;
        Ok(Response::new(message_of(reservation)))
    }
}

fn message_of(reservation: Reservation) -> ReserveStockResponse {
    let id = reservation.reservation_id.as_hyphenated();
    ReserveStockResponse {
        reservation_id: id.encode_lower(&mut Uuid::encode_buffer()).to_owned(),
        order_id: reservation.order_id,
        expires_at: Some(prost_types::Timestamp {
            seconds: reservation.expires_at.seconds,
            nanos: 0,
        }),
    }
}
