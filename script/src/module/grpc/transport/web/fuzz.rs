//! The decoders against the shared table of known answers, against damaged ones and against noise.
//!
//! `PROPTEST_CASES` sets the number of cases of each property; 256 when it is not set.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{collections::HashMap, sync::LazyLock};

use bytes::{Bytes, BytesMut};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header::CONTENT_TYPE};
use proptest::{prelude::*, sample::Index};
use serde::Deserialize;

use super::{answer::Answer, body::Body, gzip, text, text::TextDecoder, trailer};
use crate::module::grpc::{
    status::{Status, decode_binary},
    transport::{Ending, framing::Frames},
};

/// Most bytes of a message where a row does not say.
const MOST: usize = 4 << 20;

/// A row of `xk6-grpcweb/testdata/grpc-web-responses.json`.
#[derive(Clone, Debug, Deserialize)]
struct Row {
    id: String,
    http: u16,
    ct: String,
    #[serde(default)]
    headers: HashMap<String, String>,
    body: String,
    max_receive: Option<usize>,
    expect: Expected,
}

#[derive(Clone, Debug, Deserialize)]
struct Expected {
    status: i32,
    message: Option<String>,
    messages: Option<Vec<String>>,
    #[serde(default)]
    trailers: HashMap<String, Vec<String>>,
    details_hex: Option<String>,
}

static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let table = include_str!("../../../../../../xk6-grpcweb/testdata/grpc-web-responses.json");
    serde_json::from_str(table).unwrap()
});

fn bytes_of(hex: &str) -> Vec<u8> {
    let digits = hex.as_bytes().chunks(2);
    digits
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
        .collect()
}

impl Row {
    fn most(&self) -> usize {
        self.max_receive.unwrap_or(MOST)
    }

    fn answer(&self) -> Answer {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, self.ct.parse().unwrap());
        for (name, value) in &self.headers {
            headers.insert(
                HeaderName::try_from(name).unwrap(),
                HeaderValue::try_from(value).unwrap(),
            );
        }
        Answer::new(
            StatusCode::from_u16(self.http).unwrap(),
            headers,
            self.most(),
        )
    }
}

/// Reads an answer whose body comes in these pieces.
fn read<'a>(
    mut answer: Answer,
    pieces: impl IntoIterator<Item = &'a [u8]>,
) -> (Ending, Vec<Bytes>) {
    let mut messages = Vec::new();
    let mut take = |message: Bytes| {
        messages.push(message);
        Ok(())
    };
    let pushed = pieces
        .into_iter()
        .try_for_each(|piece| answer.push(Bytes::copy_from_slice(piece), &mut take));
    let read = pushed.and_then(|()| answer.end(&mut take));
    (answer.finish(read), messages)
}

/// The pieces of a body that is cut at these places.
fn cut<'a>(body: &'a [u8], cuts: &[Index]) -> Vec<&'a [u8]> {
    let mut places: Vec<usize> = cuts.iter().map(|cut| cut.index(body.len() + 1)).collect();
    places.extend([0, body.len()]);
    places.sort_unstable();
    let pairs = places.windows(2);
    pairs.map(|pair| &body[pair[0]..pair[1]]).collect()
}

#[test]
fn every_known_answer_is_understood_however_it_is_cut() {
    // Those that only the number or the type of the messages makes an error.
    const JUDGED_LATER: [&str; 4] = ["D25", "D26", "D28", "D63"];
    for row in &*ROWS {
        let body = bytes_of(&row.body);
        for size in 1..=body.len().max(1) {
            let (ending, messages) = read(row.answer(), body.chunks(size));
            let shown = format!("{} in pieces of {size}: {ending:?}", row.id);
            let expected = &row.expect;
            if !JUDGED_LATER.contains(&row.id.as_str()) {
                assert_eq!(ending.status.code, expected.status, "{shown}");
            }
            if let Some(message) = &expected.message {
                assert_eq!(&ending.status.message, message, "{shown}");
            }
            if let Some(expected) = &expected.messages {
                let expected: Vec<_> = expected.iter().map(|hex| bytes_of(hex)).collect();
                assert_eq!(messages, expected, "{shown}");
            }
            if let Some(details) = &expected.details_hex {
                assert_eq!(ending.status.details, bytes_of(details), "{shown}");
            }
            for (name, values) in &expected.trailers {
                let found = ending.trailers.get_all(name).iter();
                assert!(found.eq(values.iter()), "{shown}");
            }
        }
    }
}

#[test]
fn a_prefix_of_4_gib_takes_no_memory() {
    let mut headers = HeaderMap::new();
    headers.insert(
        CONTENT_TYPE,
        HeaderValue::from_static("application/grpc-web"),
    );
    let prefix = Bytes::from_static(&[0, 0xff, 0xff, 0xff, 0xff, 1, 2, 3]);
    let mut body = Body::new(&headers, MOST).unwrap();
    let refused = body.push(prefix.clone(), &mut |_, _| Ok(()));
    assert_eq!((refused.unwrap_err().code, body.capacity()), (8, 0));
    // Also when no limit refuses it: memory follows what came.
    let mut body = Body::new(&headers, usize::MAX).unwrap();
    body.push(prefix, &mut |_, _| Ok(())).unwrap();
    assert!(body.capacity() < 100, "{}", body.capacity());
}

/// Damage to a body.
#[derive(Clone, Debug)]
enum Damage {
    Flip(Index, u8),
    Remove(Index),
    Insert(Index, Vec<u8>),
    Truncate(Index),
    Repeat(Index),
}

fn damage() -> impl Strategy<Value = Damage> {
    prop_oneof![
        (any::<Index>(), any::<u8>()).prop_map(|(place, bits)| Damage::Flip(place, bits)),
        any::<Index>().prop_map(Damage::Remove),
        (any::<Index>(), prop::collection::vec(any::<u8>(), 0..9))
            .prop_map(|(place, bytes)| Damage::Insert(place, bytes)),
        any::<Index>().prop_map(Damage::Truncate),
        any::<Index>().prop_map(Damage::Repeat),
    ]
}

impl Damage {
    fn apply(&self, body: &mut Vec<u8>) {
        match self {
            Self::Flip(place, bits) if !body.is_empty() => {
                let place = place.index(body.len());
                body[place] ^= bits;
            }
            Self::Remove(place) if !body.is_empty() => drop(body.remove(place.index(body.len()))),
            Self::Insert(place, bytes) => {
                let place = place.index(body.len() + 1);
                body.splice(place..place, bytes.iter().copied());
            }
            Self::Truncate(place) => body.truncate(place.index(body.len() + 1)),
            Self::Repeat(place) => body.extend_from_within(place.index(body.len() + 1)..),
            Self::Flip(..) | Self::Remove(_) => {}
        }
    }
}

/// An answer of the table, damaged or not.
fn seeded() -> impl Strategy<Value = (Row, Vec<u8>)> {
    let damages = prop::collection::vec(damage(), 0..4);
    (any::<Index>(), damages).prop_map(|(row, damages)| {
        let row = row.get(&ROWS).clone();
        let mut body = bytes_of(&row.body);
        for damage in &damages {
            damage.apply(&mut body);
        }
        (row, body)
    })
}

/// Any headers that change how a body is read.
fn any_headers() -> impl Strategy<Value = HeaderMap> {
    let content_type = prop_oneof![
        Just("application/grpc-web+proto"),
        Just("application/grpc-web-text"),
        Just("text/plain"),
    ];
    let encoding = || prop_oneof![Just(None), Just(Some("gzip")), Just(Some("identity"))];
    let status = prop_oneof![Just(None), Just(Some("0")), Just(Some("7"))];
    (content_type, encoding(), encoding(), status).prop_map(
        |(content_type, message, body, status)| {
            let named = [
                ("content-type", Some(content_type)),
                ("grpc-encoding", message),
                ("content-encoding", body),
                ("grpc-status", status),
            ];
            let headers = named.into_iter().filter_map(|(name, value)| {
                let value = HeaderValue::from_static(value?);
                Some((HeaderName::from_static(name), value))
            });
            headers.collect()
        },
    )
}

proptest! {
    #[test]
    fn a_damaged_answer_means_the_same_however_it_is_cut(
        (row, body) in seeded(),
        cuts in prop::collection::vec(any::<Index>(), 0..6),
    ) {
        let (whole, whole_messages) = read(row.answer(), [&body[..]]);
        let (ending, messages) = read(row.answer(), cut(&body, &cuts));
        prop_assert_eq!(ending.status.code, whole.status.code);
        prop_assert_eq!(&ending.headers, &whole.headers);
        prop_assert_eq!(&ending.trailers, &whole.trailers);
        prop_assert!(messages.iter().all(|message| message.len() <= row.most()));
        prop_assert_eq!(messages, whole_messages);
    }

    #[test]
    fn noise_ends_with_a_status_and_within_the_limit(
        headers in any_headers(),
        most in 0..2000_usize,
        body in prop::collection::vec(any::<u8>(), 0..300),
        is_gzip in any::<bool>(),
        cuts in prop::collection::vec(any::<Index>(), 0..6),
    ) {
        let body = if is_gzip { gzip::deflate(&body).unwrap() } else { body };
        let mut answer = Answer::new(StatusCode::OK, headers, most);
        let mut longest = 0;
        let mut take = |message: Bytes| {
            longest = longest.max(message.len());
            Ok(())
        };
        let pushed = cut(&body, &cuts)
            .into_iter()
            .try_for_each(|piece| answer.push(Bytes::copy_from_slice(piece), &mut take));
        let read = pushed.and_then(|()| answer.end(&mut take));
        let ending = answer.finish(read);
        prop_assert!(ending.status.code >= 0);
        prop_assert!(longest <= most);
    }

    #[test]
    fn frames_take_memory_for_what_came_alone(
        pieces in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), 0..20),
    ) {
        let mut frames = Frames::new(usize::MAX, |_| Ok(()));
        let mut came = 0;
        for piece in pieces {
            came += piece.len();
            frames.push(piece.into(), &mut |_, _| Ok(())).unwrap();
            prop_assert!(frames.capacity() <= 2 * came + 64, "{} for {came}", frames.capacity());
        }
    }

    #[test]
    fn messages_come_as_they_were_sent(
        messages in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), 0..6),
        is_text in any::<bool>(),
        cuts in prop::collection::vec(any::<Index>(), 0..9),
    ) {
        let mut body = Vec::new();
        let trailer: &[u8] = b"grpc-status:0\r\n";
        let frames = messages.iter().map(|message| (0, &message[..])).chain([(0x80, trailer)]);
        for (flags, content) in frames {
            let mut frame = vec![flags];
            frame.extend(u32::try_from(content.len()).unwrap().to_be_bytes());
            frame.extend(content);
            // In base64, each frame is padded by itself.
            body.extend_from_slice(&if is_text { text::encode(&frame) } else { frame.into() });
        }
        let mut headers = HeaderMap::new();
        let kind = if is_text { super::content_type::TEXT } else { super::content_type::BINARY };
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
        let answer = Answer::new(StatusCode::OK, headers, MOST);
        let (ending, received) = read(answer, cut(&body, &cuts));
        prop_assert_eq!(ending.status, Status::default());
        prop_assert_eq!(received, messages);
    }

    #[test]
    fn trailers_are_read_or_refused(
        block in prop_oneof![
            prop::collection::vec(any::<u8>(), 0..200),
            "([a-zA-Z-]{0,12}[: \t]{0,3}[ -~é]{0,20}\r?\n){0,6}".prop_map(String::into_bytes),
            "(grpc-(status|message|status-details-bin):[ -~]{0,20}\n){0,6}"
                .prop_map(String::into_bytes),
        ],
    ) {
        match trailer::parse(&block) {
            Ok(trailers) => prop_assert!(trailer::status_of(&trailers).code >= 0),
            Err(status) => prop_assert_eq!(status.code, 13),
        }
    }

    #[test]
    fn base64_is_decoded_or_refused_however_it_is_cut(
        chars in prop_oneof![
            prop::collection::vec(any::<u8>(), 0..60),
            "[A-Za-z0-9+/=]{0,60}".prop_map(String::into_bytes),
        ],
        cuts in prop::collection::vec(any::<Index>(), 0..6),
    ) {
        let decode = |pieces: Vec<&[u8]>| {
            let (mut decoder, mut out) = (TextDecoder::default(), BytesMut::new());
            let pushed = pieces.into_iter().try_for_each(|piece| decoder.push(piece, &mut out));
            let result = pushed.and_then(|()| decoder.finish(&mut out));
            (out, result)
        };
        let whole = decode(vec![&chars]);
        prop_assert!(whole.0.len() <= chars.len());
        prop_assert_eq!(decode(cut(&chars, &cuts)), whole);
    }

    #[test]
    fn binary_values_are_decoded_or_refused(text in prop::collection::vec(any::<u8>(), 0..40)) {
        let decoded = decode_binary(&text);
        prop_assert!(decoded.is_none_or(|bytes| bytes.len() <= text.len()));
    }

    #[test]
    fn compressed_messages_are_inflated_within_the_limit(
        content in prop_oneof![
            prop::collection::vec(any::<u8>(), 0..60),
            (0..5000_usize).prop_map(|length| gzip::deflate(&vec![0; length]).unwrap()),
        ],
        most in 0..5000_usize,
    ) {
        if let Ok(message) = gzip::inflate(&content, Some(b"gzip"), most) {
            prop_assert!(message.len() <= most);
        }
    }
}
