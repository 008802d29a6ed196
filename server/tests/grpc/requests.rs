//! Requests of the contract, as frames.

use bookstore_proto::v1::{
    GetBookDetailRequest, ListReviewsRequest, OrderLine, ReserveStockRequest,
};
use prost::Message;

pub const RESERVE: &str = "/bookstore.bench.v1.InventoryService/ReserveStock";
pub const DETAIL: &str = "/bookstore.bench.v1.CatalogService/GetBookDetail";
pub const REVIEWS: &str = "/bookstore.bench.v1.CatalogService/ListReviews";

/// One plain frame.
pub fn frame(message: &impl Message) -> Vec<u8> {
    let payload = message.encode_to_vec();
    let mut frame = vec![0];
    frame.extend(u32::try_from(payload.len()).unwrap().to_be_bytes());
    frame.extend(payload);
    frame
}

/// The article's order: `lines` different books, one copy each.
pub fn order(lines: usize) -> ReserveStockRequest {
    ReserveStockRequest {
        order_id: "ord-1".to_owned(),
        lines: (1..=lines)
            .map(|nth| OrderLine {
                isbn: format!("97800000{nth:05}"),
                quantity: 1,
            })
            .collect(),
    }
}

/// The article's screen.
pub fn screen() -> GetBookDetailRequest {
    GetBookDetailRequest {
        book_id: 1,
        review_count: 2,
    }
}

pub fn all_reviews() -> ListReviewsRequest {
    ListReviewsRequest {
        book_id: 1,
        limit: 0,
    }
}
