//! Sizes that the article published, or that follow from them.

use bookstore_proto::v1::{BookDetail, ReserveStockResponse};
use prost::Message as _;

use crate::{
    peer::Peer,
    requests::{DETAIL, RESERVE, frame, order, screen},
    style::Style,
};

#[test]
fn the_articles_orders_are_45_and_957_bytes() {
    assert_eq!(order(2).encoded_len(), 45);
    assert_eq!(order(50).encoded_len(), 957);
}

#[test]
fn the_screens_request_is_a_frame_of_9_bytes() {
    assert_eq!(frame(&screen()).len(), 9);
}

#[tokio::test]
async fn the_screen_is_a_message_of_114_bytes() {
    let peer = Peer::bookstore().await;
    let answer = peer.call(Style::Grpc, DETAIL, &frame(&screen())).await;
    assert_eq!(answer.message::<BookDetail>().encoded_len(), 114);
    assert_eq!(answer.body.len(), 5 + 114);
}

/// 5 + 114 bytes of message, 5 + 15 bytes of trailers. The article counts 140: its server writes
/// `grpc-status: 0\r\n`, 16 bytes with the space after the colon that tonic-web leaves out.
#[tokio::test]
async fn the_screen_in_grpc_web_is_a_body_of_139_bytes() {
    let peer = Peer::bookstore().await;
    for style in [Style::WebOverHttp1, Style::WebOverHttp2] {
        let answer = peer.call(style, DETAIL, &frame(&screen())).await;
        assert_eq!(answer.body.len(), 139);
        assert!(answer.body.ends_with(b"\x80\0\0\0\x0fgrpc-status:0\r\n"));
    }
}

#[tokio::test]
async fn a_reservation_takes_the_same_bytes_for_any_order() {
    let peer = Peer::bookstore().await;
    for lines in [2, 50] {
        let answer = peer.call(Style::Grpc, RESERVE, &frame(&order(lines))).await;
        // 38 for the UUID, 7 for the order id, 8 for seconds in a 5-byte varint.
        assert_eq!(answer.message::<ReserveStockResponse>().encoded_len(), 53);
    }
}
