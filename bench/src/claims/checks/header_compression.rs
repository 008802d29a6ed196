//! What the header fields of gRPC calls take on the wire, by the number of the call on its connection.
//!
//! A field that repeats one of the first call with its value has to be an index into a table from then on:
//! one octet, or two for the entries far back. How much of a call that is depends on what else it sends
//! and says nothing of repeated fields, so sizes of whole calls are told and not judged. Nor is the
//! request's path judged, which is no header field (RFC 9113, 8.3) and which encoders leave out of their
//! tables because most calls have another.

mod frames;
mod hpack;
mod recorded;

use std::collections::BTreeMap;

use bytes::Bytes;
use h2::client::{Builder, SendRequest};
use http::{Request, Version};
use tokio::net::TcpStream;

use self::{
    frames::{Block, blocks},
    hpack::{Field, Reader},
    recorded::{Recorded, locked},
};
use super::Seen;
use crate::verify::{Peer, VerifyError};

const WHAT: &str = "gRPC /bookstore.bench.v1.CatalogService/GetBookDetail";
/// `GetBookDetail` of book 1 with two reviews, behind gRPC's prefix.
const CALL: &[u8] = &[0, 0, 0, 0, 4, 0x08, 1, 0x10, 2];
/// Calls on the connection that is kept.
const CALLS: usize = 100;
/// An index in one octet reaches 126 entries, of which 61 are given, in two 65 beyond them.
const INDEX_OCTETS: usize = 2;
/// What a client sends before its first frame (RFC 9113, 3.4).
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// What the HEADERS frames of a call held, one way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Heads {
    frame_bytes: usize,
    fields: Vec<Field>,
}

/// The calls of a connection, in order.
#[derive(Debug, Default)]
struct Calls {
    sent: Vec<Heads>,
    received: Vec<Heads>,
}

/// Header fields of the first call that another call repeats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Repeated {
    fields: usize,
    /// Together, in the call that repeats them.
    octets: usize,
    /// The longest of them.
    longest: usize,
}

pub(super) async fn ask(peer: Peer) -> Result<Seen, VerifyError> {
    let kept = calls(peer, &Builder::new(), CALLS).await?;
    let anew = calls(peer, &Builder::new(), 1).await?;
    Ok(judged(&kept, &anew))
}

fn judged(kept: &Calls, anew: &Calls) -> Seen {
    let sizes = |calls: &Calls, number: usize| {
        let of = |heads: &[Heads]| heads.get(number - 1).map_or(0, |heads| heads.frame_bytes);
        format!("{} and {} B", of(&calls.sent), of(&calls.received))
    };
    let starts_anew = anew.sent.first() == kept.sent.first();
    let both = [&kept.sent, &kept.received];
    let seen = format!(
        "{}; {}. {} With everything else the HEADERS frames of a call take, sent and received, {} in the \
         first of a connection, {} in the second, {} in call {CALLS}, and {} in the first of another \
         connection",
        told("the request", &kept.sent),
        told("the answer", &kept.received),
        of_path(&kept.sent),
        sizes(kept, 1),
        sizes(kept, 2),
        sizes(kept, CALLS),
        sizes(anew, 1),
    );
    Seen {
        passed: both.into_iter().all(|heads| are_indexes(heads)) && starts_anew,
        seen,
    }
}

/// Whether every later call repeats header fields of the first, and each of them by an index.
fn are_indexes(heads: &[Heads]) -> bool {
    let later = repeats(heads);
    let is_index = |repeated: &Repeated| repeated.fields > 0 && repeated.longest <= INDEX_OCTETS;
    !later.is_empty() && later.iter().all(is_index)
}

/// What each later call repeats of the first.
fn repeats(heads: &[Heads]) -> Vec<Repeated> {
    let Some((first, later)) = heads.split_first() else {
        return Vec::new();
    };
    later.iter().map(|heads| repeated(first, heads)).collect()
}

fn repeated(first: &Heads, later: &Heads) -> Repeated {
    let was_said = |field: &&Field| first.fields.iter().any(|one| one.said == field.said);
    let fields = later.fields.iter().filter(|field| !field.said.is_pseudo());
    fields.filter(was_said).fold(
        Repeated::default(),
        |Repeated {
             fields,
             octets,
             longest,
         },
         field| Repeated {
            fields: fields + 1,
            octets: octets + field.octets,
            longest: longest.max(field.octets),
        },
    )
}

/// What header fields took at first and what those repeated took later.
fn told(whose: &str, heads: &[Heads]) -> String {
    let own = |heads: &Heads| -> Vec<usize> {
        let fields = heads.fields.iter().filter(|field| !field.said.is_pseudo());
        fields.map(|field| field.octets).collect()
    };
    let first = heads.first().map(own).unwrap_or_default();
    let later = repeats(heads);
    let second = later.first().copied().unwrap_or_default();
    let longest = later.iter().map(|repeated| repeated.longest).max();
    format!(
        "of {} header fields of {whose} ({} B in the first call of a connection) the second repeats {} in \
         {} B, and no call up to the last one repeats a field in more than {} B",
        first.len(),
        first.iter().sum::<usize>(),
        second.fields,
        second.octets,
        longest.unwrap_or_default(),
    )
}

/// What the path took at first and later.
fn of_path(sent: &[Heads]) -> String {
    let of = |heads: Option<&Heads>| {
        let mut fields = heads.into_iter().flat_map(|heads| &heads.fields);
        fields
            .find(|field| field.said.is_path())
            .map_or(0, |field| field.octets)
    };
    let (first, second) = (of(sent.first()), of(sent.get(1)));
    if second > INDEX_OCTETS {
        format!(
            "The request's path, which is no header field and differs from method to method, goes as text \
             every time ({second} B)."
        )
    } else {
        format!("The request's path takes {first} B and then {second}.")
    }
}

/// So many calls, one after the other on one connection.
async fn calls(peer: Peer, client: &Builder, count: usize) -> Result<Calls, VerifyError> {
    let connect = |source| VerifyError::Connect {
        address: peer.h2c,
        source,
    };
    let stream = TcpStream::connect(peer.h2c).await.map_err(connect)?;
    let (recorded, log) = Recorded::new(stream);
    let exchange = async {
        let (mut sender, connection) = client.handshake(recorded).await?;
        let driver = tokio::spawn(connection);
        for _ in 0..count {
            sender = call(sender, &format!("http://{}", peer.h2c)).await?;
        }
        driver.abort();
        Ok::<(), h2::Error>(())
    };
    exchange.await.map_err(|error| VerifyError::Exchange {
        what: WHAT.to_owned(),
        source: error.into(),
    })?;
    let log = locked(&log);
    let sent = by_call(&blocks(log.sent.get(PREFACE.len()..).unwrap_or_default()));
    let received = by_call(&blocks(&log.received));
    match sent.zip(received) {
        Some((sent, received)) => Ok(Calls { sent, received }),
        None => Err(VerifyError::Unreadable {
            what: WHAT.to_owned(),
            answer: "a header block that is not of RFC 7541".to_owned(),
        }),
    }
}

/// Blocks by their streams, of which every call has one; head and trailers of an answer together. `None`
/// when one of them cannot be read.
fn by_call(blocks: &[Block]) -> Option<Vec<Heads>> {
    let mut reader = Reader::default();
    let mut by_stream: BTreeMap<u32, Heads> = BTreeMap::new();
    for block in blocks {
        let heads = by_stream.entry(block.stream).or_default();
        heads.frame_bytes += block.frame_bytes;
        heads.fields.extend(reader.block(&block.bytes)?);
    }
    Some(by_stream.into_values().collect())
}

async fn call(sender: SendRequest<Bytes>, origin: &str) -> Result<SendRequest<Bytes>, h2::Error> {
    let mut sender = sender.ready().await?;
    let uri = format!("{origin}/bookstore.bench.v1.CatalogService/GetBookDetail");
    let request = Request::post(uri)
        .version(Version::HTTP_2)
        .header("content-type", "application/grpc")
        .header("user-agent", crate::load::AGENT)
        .header("te", "trailers")
        .body(())
        .expect("the address and these headers make a request");
    let (answer, mut body) = sender.send_request(request, false)?;
    body.send_data(Bytes::from_static(CALL), true)?;
    let mut incoming = answer.await?.into_body();
    while let Some(piece) = incoming.data().await {
        let length = piece?.len();
        incoming.flow_control().release_capacity(length)?;
    }
    incoming.trailers().await?;
    Ok(sender)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use http::{HeaderMap, Response};
    use tokio::{net::TcpListener, task::JoinHandle};

    use super::*;

    /// Answers as a gRPC server does, and lets clients have tables of so many octets.
    async fn server(table_octets: u32) -> (Peer, JoinHandle<()>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let serving = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, table_octets));
            }
        });
        let peer = Peer {
            http1: address,
            h2c: address,
        };
        (peer, serving)
    }

    async fn serve(stream: TcpStream, table_octets: u32) {
        let mut builder = h2::server::Builder::new();
        builder.header_table_size(table_octets);
        let mut connection = builder.handshake::<_, Bytes>(stream).await.unwrap();
        while let Some(Ok((_, mut respond))) = connection.accept().await {
            let head = Response::builder().header("content-type", "application/grpc");
            let mut body = respond
                .send_response(head.body(()).unwrap(), false)
                .unwrap();
            let trailers = [("grpc-status", "0")]
                .map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()));
            body.send_trailers(HeaderMap::from_iter(trailers)).unwrap();
        }
    }

    /// Whether the check passes, with a client whose own table has so many octets.
    async fn passes(peer: Peer, client_table_octets: u32) -> bool {
        let mut client = Builder::new();
        client.header_table_size(client_table_octets);
        let kept = calls(peer, &client, 3).await.unwrap();
        let anew = calls(peer, &client, 1).await.unwrap();
        let seen = judged(&kept, &anew);
        assert_eq!(
            (kept.sent.len(), kept.received.len()),
            (3, 3),
            "{}",
            seen.seen
        );
        seen.passed
    }

    #[tokio::test]
    async fn a_table_that_keeps_nothing_on_either_side_makes_it_fail() {
        for (server_octets, client_octets, expected) in
            [(4_096, 4_096, true), (0, 4_096, false), (4_096, 0, false)]
        {
            let (peer, serving) = server(server_octets).await;
            let passed = passes(peer, client_octets).await;
            serving.abort();
            assert_eq!(
                passed, expected,
                "server {server_octets}, client {client_octets}"
            );
        }
    }

    /// Calls whose blocks are given.
    fn heads(of_calls: &[&[u8]]) -> Vec<Heads> {
        let blocks: Vec<Block> = (1..)
            .zip(of_calls)
            .map(|(stream, bytes)| Block {
                stream,
                frame_bytes: bytes.len(),
                bytes: bytes.to_vec(),
            })
            .collect();
        by_call(&blocks).unwrap()
    }

    #[test]
    fn text_is_allowed_for_new_values_alone() {
        let name_a = b"\x40\x04name\x01a";
        let indexed = heads(&[name_a, b"\xbe"]);
        assert!(are_indexes(&indexed));
        let again = heads(&[name_a, name_a]);
        assert!(!are_indexes(&again), "the same value as text");
        let other = heads(&[name_a, b"\xbe\x40\x05other\x01b", b"\xbf"]);
        assert!(
            are_indexes(&other),
            "a further field, and then the first by its new index"
        );
        assert!(
            !are_indexes(&heads(&[name_a, b"\x7e\x01b"])),
            "nothing is repeated"
        );
        assert!(!are_indexes(&heads(&[name_a])), "there is no second call");
        // A path is no header field, whatever it takes.
        let path = b"\x04\x02/p";
        let with_path = heads(&[
            &[&path[..], name_a].concat(),
            &[&path[..], b"\xbe"].concat(),
        ]);
        assert!(are_indexes(&with_path));
        assert!(
            of_path(&with_path).contains("(4 B)"),
            "{}",
            of_path(&with_path)
        );
    }
}
