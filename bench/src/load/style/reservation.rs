//! The answer to an order, as JSON has it.

use std::borrow::Cow;

use serde::Deserialize;

use super::ORDER_ID;
use crate::load::failure::Fault;

/// A reservation in REST and GraphQL.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_field_names, reason = "the names of the contract")]
pub(super) struct Reservation<'a> {
    #[serde(borrow)]
    reservation_id: Cow<'a, str>,
    #[serde(borrow)]
    order_id: Cow<'a, str>,
    #[serde(borrow)]
    expires_at: Cow<'a, str>,
}

impl Reservation<'_> {
    pub(super) fn check(&self) -> Result<(), Fault> {
        check_ids(&self.reservation_id, &self.order_id)?;
        Fault::if_empty("expiresAt", &self.expires_at)
    }
}

/// The facts that a reservation of any style must have.
pub(super) fn check_ids(reservation_id: &str, order_id: &str) -> Result<(), Fault> {
    Fault::unless_equal("the order id", order_id, ORDER_ID)?;
    Fault::if_empty("the reservation id", reservation_id)
}
