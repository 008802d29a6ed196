//! The order that every operation of scenario a reserves.

use bookstore_proto::v1::{OrderLine, ReserveStockRequest};
use serde::Serialize;

/// The caller's order id; the same in every request.
pub(in crate::load) const ORDER_ID: &str = "ord-1";

/// Books of the catalogue; longer orders name them again.
const BOOKS: u32 = 50;

/// An order as JSON has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::load) struct Order {
    order_id: &'static str,
    lines: Vec<Line>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct Line {
    isbn: String,
    quantity: i32,
}

impl Order {
    /// The order with this many lines; each takes 38 bytes of JSON and 19 of protobuf.
    pub(in crate::load) fn with_lines(lines: u32) -> Self {
        let line = |index: u32| Line {
            isbn: format!("97800000{:05}", index % BOOKS + 1),
            quantity: i32::try_from(index % 9 + 1).unwrap_or(1),
        };
        Self {
            order_id: ORDER_ID,
            lines: (0..lines).map(line).collect(),
        }
    }

    /// The same order as a protobuf message.
    pub(in crate::load) fn to_message(&self) -> ReserveStockRequest {
        ReserveStockRequest {
            order_id: self.order_id.to_owned(),
            lines: self
                .lines
                .iter()
                .map(|line| OrderLine {
                    isbn: line.isbn.clone(),
                    quantity: line.quantity,
                })
                .collect(),
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use prost::Message;

    use super::*;

    #[test]
    fn orders_have_the_published_sizes_and_longer_ones_go_on_from_them() {
        let pinned = [
            (1, 67, 26),
            (2, 105, 45),
            (50, 1_929, 957),
            (5_000, 190_029, 95_007),
        ];
        for (lines, json_bytes, protobuf_bytes) in pinned {
            let order = Order::with_lines(lines);
            assert_eq!(serde_json::to_vec(&order).unwrap().len(), json_bytes);
            assert_eq!(order.to_message().encoded_len(), protobuf_bytes);
        }
    }

    #[test]
    fn the_first_lines_are_as_the_scripts_have_them() {
        assert_eq!(
            serde_json::to_string(&Order::with_lines(2)).unwrap(),
            r#"{"orderId":"ord-1","lines":[{"isbn":"9780000000001","quantity":1},{"isbn":"9780000000002","quantity":2}]}"#
        );
        let long = Order::with_lines(51);
        assert_eq!(long.lines[50].isbn, "9780000000001");
        assert_eq!(long.lines[9].quantity, 1);
    }
}
