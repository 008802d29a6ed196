//! gRPC-Web through the proxy: the same answers as without.

use tokio::{io::AsyncWriteExt as _, net::TcpStream};

use super::support::{Running, read_until};

/// `GetBookDetail` of a book with two reviews.
fn call(method: &str, book: u8) -> Vec<u8> {
    let head = format!(
        "POST /bookstore.bench.v1.CatalogService/{method} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\
         Content-Type: application/grpc-web+proto\r\nX-Grpc-Web: 1\r\nContent-Length: 9\r\n\r\n"
    );
    let message = [0, 0, 0, 0, 4, 0x08, book, 0x10, 2];
    [head.as_bytes(), &message].concat()
}

/// Everything that is answered, but for the heads, of which the status is kept.
async fn answers(running: &Running) -> Vec<(String, Vec<u8>)> {
    use tokio::io::AsyncReadExt as _;
    let mut answers = Vec::new();
    for request in [
        call("GetBookDetail", 1),
        call("GetBookDetail", 50),
        b"GET /api/books/1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".to_vec(),
    ] {
        let mut stream = TcpStream::connect(running.addresses.http1).await.unwrap();
        stream.write_all(&request).await.unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.unwrap();
        let end = answer
            .windows(4)
            .position(|window| window == b"\r\n\r\n")
            .unwrap();
        let head = String::from_utf8(answer[..end].to_vec()).unwrap();
        let status = head.lines().next().unwrap().to_owned();
        answers.push((status, dechunked(&head, &answer[end + 4..])));
    }
    answers
}

/// The body without what chunks put around it.
fn dechunked(head: &str, mut body: &[u8]) -> Vec<u8> {
    if !head
        .to_ascii_lowercase()
        .contains("transfer-encoding: chunked")
    {
        return body.to_vec();
    }
    let mut whole = Vec::new();
    loop {
        let end = body
            .windows(2)
            .position(|window| window == b"\r\n")
            .unwrap();
        let size = std::str::from_utf8(&body[..end]).unwrap();
        let size = usize::from_str_radix(size, 16).unwrap();
        if size == 0 {
            return whole;
        }
        whole.extend_from_slice(&body[end + 2..end + 2 + size]);
        body = &body[end + 2 + size + 2..];
    }
}

#[tokio::test]
async fn calls_are_answered_the_same_and_other_requests_go_past() {
    let direct = Running::start(&[]).await;
    let proxied = Running::start(&["--grpc-web-hop=on"]).await;
    let expected = answers(&direct).await;
    assert_eq!(answers(&proxied).await, expected);
    assert_eq!(expected[0].1.len(), 139);
}

#[tokio::test]
async fn an_unknown_book_and_method_have_their_status() {
    let proxied = Running::start(&["--grpc-web-hop=on"]).await;
    for (request, status) in [
        (call("GetBookDetail", 51), "grpc-status: 5"),
        (call("Nothing", 1), "grpc-status: 12"),
    ] {
        let mut stream = TcpStream::connect(proxied.addresses.http1).await.unwrap();
        stream.write_all(&request).await.unwrap();
        let answer = read_until(&mut stream, "\r\n\r\n").await;
        assert!(answer.contains(status), "{answer}");
    }
}
