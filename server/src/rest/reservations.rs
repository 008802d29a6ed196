//! `POST /api/reservations`: reserve stock for an order.

use std::borrow::Cow;

use axum::{
    extract::{Request, State},
    response::Response,
};
use http::{HeaderValue, StatusCode, header::LOCATION};
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use super::{
    RestError, body, object::ObjectOnly, refusals::OrderRefusals, reply, routes::RestState, scalar,
};
use crate::domain::{Line, Order, Timestamp, reach};

/// An order that wants stock reserved. Its texts are borrowed from the request's bytes unless they
/// contain an escape.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[serde(
    remote = "Self",
    expecting = "an order, an object with `orderId` and `lines`"
)]
#[schema(example = json!({
    "orderId": "ord-1",
    "lines": [
        { "isbn": "9780000000001", "quantity": 1 },
        { "isbn": "9780000000002", "quantity": 2 }
    ]
}))]
pub(super) struct OrderRequest<'a> {
    /// The caller's own id of the order.
    #[serde(borrow)]
    #[schema(value_type = String, min_length = 1)]
    order_id: Cow<'a, str>,
    /// What to reserve.
    #[serde(borrow)]
    #[schema(min_items = 1)]
    lines: Vec<OrderLine<'a>>,
}

/// One line of an order.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[serde(
    remote = "Self",
    expecting = "a line, an object with `isbn` and `quantity`"
)]
#[schema(example = json!({ "isbn": "9780000000001", "quantity": 1 }))]
pub(super) struct OrderLine<'a> {
    /// ISBN of the book, 13 digits.
    #[serde(borrow)]
    #[schema(value_type = String)]
    isbn: Cow<'a, str>,
    /// Copies to reserve.
    #[serde(deserialize_with = "scalar::whole_number")]
    #[schema(value_type = i32, minimum = 1, maximum = 2_147_483_647)]
    quantity: i32,
}

/// A reservation that was made.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "reservationId": "0b8e0a52-93f4-4b0e-8a5c-2f6d1f0e7c11",
    "orderId": "ord-1",
    "expiresAt": "2026-01-05T00:00:00Z"
}))]
pub(super) struct ReservationReply<'a> {
    /// Unique id of the reservation.
    #[schema(format = "uuid")]
    reservation_id: &'a str,
    /// The caller's own id of the order.
    order_id: &'a str,
    /// When the reservation lapses.
    #[serde(serialize_with = "scalar::moment")]
    #[schema(value_type = String, format = DateTime)]
    expires_at: Timestamp,
}

/// Reserve every line of an order, or none
#[utoipa::path(
    post,
    path = "/api/reservations",
    tag = "Inventory",
    request_body = OrderRequest<'_>,
    responses(
        (
            status = 201,
            description = "Everything is reserved",
            body = ReservationReply<'_>,
            headers(("Location" = String, description = "Path of the reservation"))
        ),
        OrderRefusals
    )
)]
pub(super) async fn reserve(
    State(state): State<RestState>,
    request: Request,
) -> Result<Response, RestError> {
    let (head, request_body) = request.into_parts();
    let bytes = body::json_bytes(&head.headers, request_body, state.max_body_bytes).await?;
    let order = OrderRequest::read(&bytes).map_err(RestError::from_json)?;
    let lines: Vec<Line<'_>> = order.lines.iter().map(OrderLine::to_line).collect();
    reach(&*state.store).await;
    let reservation = state.store.reserve(&Order {
        order_id: &order.order_id,
        lines: &lines,
    })?;

    let mut id = [0; uuid::fmt::Hyphenated::LENGTH];
    let reservation_id = &*reservation
        .reservation_id
        .hyphenated()
        .encode_lower(&mut id);
    let mut response = reply::json(&ReservationReply {
        reservation_id,
        order_id: &reservation.order_id,
        expires_at: reservation.expires_at,
    })?;
    *response.status_mut() = StatusCode::CREATED;
    let location = HeaderValue::try_from(["/api/reservations/", reservation_id].concat());
    response.headers_mut().insert(
        LOCATION,
        location.expect("a path of ASCII letters, digits, slashes and hyphens is a header value"),
    );
    Ok(response)
}

// `remote = "Self"` derives inherent functions, which these guard.
impl<'de: 'a, 'a> Deserialize<'de> for OrderRequest<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::deserialize(ObjectOnly(deserializer))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for OrderLine<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::deserialize(ObjectOnly(deserializer))
    }
}

impl<'a> OrderRequest<'a> {
    fn read(json: &'a [u8]) -> Result<Self, serde_json::Error> {
        // Checking the whole body for UTF-8 once is cheaper than each of its strings; where it fails,
        // the other reader says at which line and column.
        match str::from_utf8(json) {
            Ok(text) => serde_json::from_str(text),
            Err(_) => serde_json::from_slice(json),
        }
    }
}

impl OrderLine<'_> {
    fn to_line(&self) -> Line<'_> {
        Line {
            isbn: &self.isbn,
            quantity: self.quantity,
        }
    }
}
