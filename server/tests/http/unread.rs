//! Requests that are refused before their body is read: the client still gets the answer.

use tokio::{io::AsyncWriteExt, net::TcpStream};

use super::support::{Running, exchange, read_until};

const IMAGES: [&str; 2] = [
    "POST /api/reservations HTTP/1.1\r\nHost: x\r\nContent-Type: image/png\r\n",
    "POST /bookstore.bench.v1.CatalogService/GetBookDetail HTTP/1.1\r\nHost: x\r\n\
     Content-Type: image/png\r\n",
];

/// Far more than the buffers of both sockets hold.
const PIECES: usize = 256;
const PIECE_BYTES: usize = 64 * 1024;

/// A connection whose request was sent so far and has its answer.
async fn refused(server: &Running, request: &str) -> TcpStream {
    let mut stream = TcpStream::connect(server.addresses.http1).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let reply = read_until(&mut stream, "image/png").await;
    assert!(reply.starts_with("HTTP/1.1 415 "), "{reply}");
    stream
}

async fn assert_next_is_served(mut stream: TcpStream) {
    let next = "GET /api/books/1/stock HTTP/1.1\r\nHost: x\r\n\r\n";
    stream.write_all(next.as_bytes()).await.unwrap();
    let reply = read_until(&mut stream, "\"available\"").await;
    assert!(reply.contains("HTTP/1.1 200 OK\r\n"), "{reply}");
}

#[tokio::test]
async fn a_client_may_go_on_sending_after_the_refusal() {
    let server = Running::start(&[]).await;
    for image in IMAGES {
        let mut stream = refused(
            &server,
            &format!("{image}Transfer-Encoding: chunked\r\n\r\n"),
        )
        .await;
        let piece = vec![b'x'; PIECE_BYTES];
        for _ in 0..PIECES {
            let length = format!("{PIECE_BYTES:x}\r\n");
            stream.write_all(length.as_bytes()).await.unwrap();
            stream.write_all(&piece).await.unwrap();
            stream.write_all(b"\r\n").await.unwrap();
        }
        stream.write_all(b"0\r\n\r\n").await.unwrap();
        assert_next_is_served(stream).await;
    }
    server.stop().await.unwrap();
}

#[tokio::test]
async fn a_client_that_sends_all_first_reads_the_refusal() {
    let server = Running::start(&[]).await;
    let mut stream = TcpStream::connect(server.addresses.http1).await.unwrap();
    let body = vec![b'x'; PIECES * PIECE_BYTES];
    let head = format!(
        "POST /api/reservations HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.write_all(&body).await.unwrap();
    let reply = read_until(&mut stream, "}").await;
    assert!(reply.starts_with("HTTP/1.1 413 "), "{reply}");
    assert_next_is_served(stream).await;
    server.stop().await.unwrap();
}

#[tokio::test]
async fn a_client_that_asks_before_sending_is_not_told_to() {
    let server = Running::start(&[]).await;
    for image in IMAGES {
        let request = format!("{image}Content-Length: 9\r\nExpect: 100-continue\r\n\r\n");
        let reply = exchange(server.addresses.http1, request.as_bytes()).await;
        assert!(reply.starts_with("HTTP/1.1 415 "), "{reply}");
    }
    server.stop().await.unwrap();
}

#[tokio::test]
async fn a_client_that_leaves_in_the_middle_of_its_body_does_no_harm() {
    let server = Running::start(&[]).await;
    for image in IMAGES {
        let stream = refused(&server, &format!("{image}Content-Length: 9\r\n\r\n123")).await;
        drop(stream);
    }
    server.assert_serving().await;
    server.stop().await.unwrap();
}
