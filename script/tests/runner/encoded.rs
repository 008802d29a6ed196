//! Bodies that are compressed.

use std::io::Read;

use flate2::read::{GzDecoder, ZlibDecoder};
use http::{HeaderValue, header};
use ruzstd::decoding::StreamingDecoder;
use serde_json::json;

use crate::server::{Answer, Question, reply};

/// What other programs make of "hello hello hello hello hello hello".
const BROTLI: [u8; 20] = [
    0x1b, 0x22, 0x00, 0xf8, 0x8d, 0x94, 0x6e, 0xde, 0x44, 0x55, 0x86, 0x96, 0x6c, 0x20, 0x6f, 0x41,
    0x4f, 0x1c, 0xe0, 0x71,
];
const ZSTD: [u8; 25] = [
    0x28, 0xb5, 0x2f, 0xfd, 0x04, 0x68, 0x65, 0x00, 0x00, 0x30, 0x68, 0x65, 0x6c, 0x6c, 0x6f, 0x20,
    0x01, 0x00, 0xb9, 0x4b, 0x11, 0x2b, 0xe1, 0x68, 0xe7,
];

/// Answers to `/encoded/NAME`: a body in that encoding.
pub fn answer(name: &str) -> Answer {
    let body = match name {
        "br" => BROTLI.to_vec(),
        "zstd" => ZSTD.to_vec(),
        "damaged" => ZSTD[..20].to_vec(),
        _ => b"as it is".to_vec(),
    };
    let name = if name == "damaged" { "zstd" } else { name };
    let mut answer = reply(200, "text/plain", body);
    let value = HeaderValue::from_str(name).unwrap();
    answer.headers_mut().insert(header::CONTENT_ENCODING, value);
    answer
}

/// Answers to `/decoded`: what came, and what it is without its encodings.
pub fn decoded(question: &Question) -> Answer {
    let header = |name| {
        let value = question.headers().get(name);
        value.map_or("", |value| value.to_str().unwrap())
    };
    let names = header(header::CONTENT_ENCODING);
    let mut body = question.body().to_vec();
    for name in names.rsplit(", ").filter(|name| !name.is_empty()) {
        let mut plain = Vec::new();
        let read = match name {
            "gzip" => GzDecoder::new(&*body).read_to_end(&mut plain),
            "deflate" => ZlibDecoder::new(&*body).read_to_end(&mut plain),
            "zstd" => StreamingDecoder::new(&*body)
                .unwrap()
                .read_to_end(&mut plain),
            _ => return reply(415, "text/plain", names.to_owned()),
        };
        read.unwrap();
        body = plain;
    }
    let length: usize = header(header::CONTENT_LENGTH).parse().unwrap();
    let answer = json!({
        "encoding": names,
        "is_all": length == question.body().len(),
        "is_smaller": length < body.len(),
        "body": String::from_utf8(body).unwrap(),
    });
    reply(200, "application/json", answer.to_string())
}
