use http::Method;

use super::*;
use crate::http1::{outgoing::MOST_COPIED, wire::Wire};

const HEAD: &[u8] = b"GET / HTTP/1.1\r\n\r\n";

fn get(body: &Bytes) -> Request<'_> {
    Request {
        method: &Method::GET,
        head: HEAD,
        body,
        closes: false,
    }
}

/// Sends one request; the body of the answer.
async fn exchange(connection: &mut Connection<Wire>) -> Result<Bytes, ExchangeError> {
    connection.send(&get(&Bytes::new())).await?;
    connection.collect().await
}

fn pieces(pieces: &[&str]) -> Vec<Vec<u8>> {
    pieces
        .iter()
        .map(|piece| piece.as_bytes().to_vec())
        .collect()
}

async fn outcome(answer: &[&str]) -> Result<(Bytes, bool), ExchangeError> {
    let mut connection = Connection::new(Wire::new(pieces(answer)));
    let body = exchange(&mut connection).await?;
    Ok((body, connection.is_reusable()))
}

#[tokio::test]
async fn answers_are_read_however_they_are_cut() {
    for (answer, body, is_reusable) in [
        (
            &["HTTP/1.1 200 OK\r\nContent-Length: 5\r", "\n\r\nhe", "llo"][..],
            "hello",
            true,
        ),
        (
            &[
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nLink: x\r\n\r",
                "\nHTTP/1.1 204 x\n\n",
            ],
            "",
            true,
        ),
        (
            &[
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3",
                "\r\nllo\r\n0\r\n\r\n",
            ],
            "hello",
            true,
        ),
        (&["HTTP/1.1 200 OK\r\n\r\nhe", "llo"], "hello", false),
        (
            &["HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhe"],
            "he",
            false,
        ),
        (
            &["HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhello"],
            "he",
            false,
        ),
    ] {
        let (read, reusable) = outcome(answer).await.unwrap();
        assert_eq!(
            (read, reusable),
            (Bytes::from(body), is_reusable),
            "{answer:?}"
        );
    }
}

#[tokio::test]
async fn answers_that_end_too_early_are_told_from_connections_that_closed() {
    assert!(matches!(outcome(&[]).await, Err(ExchangeError::Closed)));
    for answer in [
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n",
        "HTTP/1.1 100 Continue\r\n\r\n",
    ] {
        let error = outcome(&[answer]).await.unwrap_err();
        assert!(
            matches!(error, ExchangeError::CutShort),
            "{answer:?}: {error}"
        );
    }
}

#[tokio::test]
async fn a_head_without_end_is_refused_in_time() {
    let line = format!("a: {}\r\n", "x".repeat(4000));
    let mut answer = vec!["HTTP/1.1 200 OK\r\n"];
    answer.resize(120, &line);
    let error = outcome(&answer).await.unwrap_err();
    assert!(
        matches!(error, ExchangeError::HeadTooLarge { .. }),
        "{error}"
    );
}

#[tokio::test]
async fn a_connection_serves_one_exchange_after_another() {
    let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";
    let mut connection = Connection::new(Wire::new(pieces(&[answer])).then(pieces(&[answer])));
    for _ in 0..2 {
        assert!(connection.is_reusable() && connection.is_open().await);
        assert_eq!(exchange(&mut connection).await.unwrap(), "hi");
        let times = connection.times();
        assert!(times.last_write.unwrap() <= times.first_read.unwrap());
    }
    assert_eq!(connection.stream.written(), HEAD.repeat(2));
    assert!(!connection.is_open().await);
}

#[tokio::test]
async fn long_bodies_are_written_whole_and_pieces_come_as_they_arrive() {
    let answer = [
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
        "2\r\nhe\r\n",
        "1\r\ny\r\n0\r\n\r\n",
    ];
    let mut connection = Connection::new(Wire::new(pieces(&answer)));
    let body = Bytes::from(vec![b'x'; 3 * MOST_COPIED]);
    connection.send(&get(&body)).await.unwrap();
    assert_eq!(connection.stream.written(), [HEAD, &body].concat());
    assert_eq!(connection.piece().await.unwrap().unwrap(), "he");
    assert_eq!(connection.piece().await.unwrap().unwrap(), "y");
    assert!(connection.piece().await.unwrap().is_none() && connection.is_reusable());
}

#[tokio::test]
async fn an_answer_counts_although_the_request_could_not_be_written() {
    let answer = "HTTP/1.1 413 Too large\r\nContent-Length: 0\r\n\r\n";
    let mut connection = Connection::new(Wire::new(pieces(&[answer])).with_broken_pipe());
    let head = connection.send(&get(&Bytes::new())).await.unwrap();
    assert_eq!((head.status, connection.is_reusable()), (413, false));
    let mut silent = Connection::new(Wire::new(Vec::new()).with_broken_pipe());
    let error = silent.send(&get(&Bytes::new())).await.unwrap_err();
    assert!(
        error.is_closed() && matches!(error, ExchangeError::Io(_)),
        "{error}"
    );
}

#[test]
fn a_slow_head_is_searched_once() {
    let head = b"HTTP/1.1 200 OK\r\nA: b\r\n\r\n";
    for searched in 1..head.len() {
        assert!(may_end(head, searched));
        assert!(!may_end(&head[..head.len() - 1], searched));
    }
    assert!(may_end(b"a\n\nb", 2) && !may_end(b"a\n\nbb", 4));
}
