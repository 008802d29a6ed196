//! Every RPC gives the same in every style.

use std::collections::HashSet;

use bookstore_proto::v1::{
    BookDetail, GetBookDetailRequest, ListReviewsRequest, ReserveStockResponse, Review,
};
use tonic::Code;
use uuid::Uuid;

use crate::{
    peer::Peer,
    requests::{DETAIL, RESERVE, REVIEWS, all_reviews, frame, order, screen},
    style::Style,
};

fn newest_reviews() -> Vec<Review> {
    [
        ("Deniz", 5, "Clear and to point"),
        ("Mika", 4, "Useful numbers.!"),
    ]
    .map(|(reviewer, rating, text)| Review {
        reviewer: reviewer.to_owned(),
        rating,
        text: text.to_owned(),
    })
    .to_vec()
}

#[tokio::test]
async fn reserve_stock() {
    let peer = Peer::bookstore().await;
    let mut ids = HashSet::new();
    for style in Style::ALL {
        let answer = peer.call(style, RESERVE, &frame(&order(2))).await;
        assert_eq!(answer.http_status, 200, "{style:?}");
        assert_eq!(answer.content_type(), style.content_type());
        let message: ReserveStockResponse = answer.message();
        assert_eq!(message.order_id, "ord-1");
        assert_eq!(message.expires_at.unwrap().nanos, 0);
        assert_eq!(message.reservation_id.len(), 36);
        ids.insert(Uuid::parse_str(&message.reservation_id).unwrap());
    }
    assert_eq!(
        ids.len(),
        Style::ALL.len(),
        "every reservation has its own id"
    );
}

#[tokio::test]
async fn get_book_detail() {
    let peer = Peer::bookstore().await;
    for style in Style::ALL {
        let answer = peer.call(style, DETAIL, &frame(&screen())).await;
        assert_eq!(
            answer.message::<BookDetail>(),
            BookDetail {
                id: 1,
                title: "Practical API Measurement".to_owned(),
                price_cents: 4_990,
                author_name: "Anna-Liisa Virtanen".to_owned(),
                stock: 42,
                reviews: newest_reviews(),
            },
            "{style:?}"
        );
    }
}

#[tokio::test]
async fn get_book_detail_without_reviews() {
    let peer = Peer::bookstore().await;
    let request = GetBookDetailRequest {
        book_id: 1,
        review_count: 0,
    };
    let answer = peer.call(Style::Grpc, DETAIL, &frame(&request)).await;
    assert_eq!(answer.message::<BookDetail>().reviews, []);
}

#[tokio::test]
async fn list_reviews() {
    let peer = Peer::bookstore().await;
    for style in Style::ALL {
        let all = peer.call(style, REVIEWS, &frame(&all_reviews())).await;
        let all: Vec<Review> = all.decode();
        assert_eq!(all.len(), 4, "{style:?}");

        let two = ListReviewsRequest {
            book_id: 1,
            limit: 2,
        };
        let two = peer.call(style, REVIEWS, &frame(&two)).await;
        assert_eq!(two.decode::<Review>(), newest_reviews());
        assert_eq!(all[2..], newest_reviews());
    }
}

#[tokio::test]
async fn unknown_methods_and_services_are_unimplemented() {
    let peer = Peer::bookstore().await;
    for style in Style::ALL {
        for path in [
            "/bookstore.bench.v1.InventoryService/Release",
            "/bookstore.bench.v1.InventoryService/Reserve/Stock",
            "/bookstore.bench.v1.InventoryService/",
            "/bookstore.bench.v1.PriceService/GetPrice",
        ] {
            let answer = peer.call(style, path, &frame(&order(2))).await;
            assert_eq!(answer.http_status, 200);
            assert_eq!(answer.content_type(), style.content_type());
            assert_eq!(answer.code(), Code::Unimplemented, "{style:?} {path}");
        }
    }
}
