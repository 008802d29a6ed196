//! A gRPC-Web service that echoes, or misbehaves as the metadata `x-do` says.

use base64::{
    Engine,
    prelude::{BASE64_STANDARD, BASE64_STANDARD_NO_PAD},
};
use bytes::Bytes;
use http::{HeaderName, HeaderValue};
use prost::Message;

use crate::server::{Answer, Question, reply};

/// Answers a call of `every.kind.v1.EchoService`.
pub async fn answer(question: &Question, method: &str) -> Answer {
    let header = |name: &str| {
        let value = question.headers().get(name);
        value.map_or("", |value| value.to_str().unwrap())
    };
    let content_type = header("content-type");
    let is_text = content_type.starts_with("application/grpc-web-text");
    let body = question.body();
    let frame = if is_text {
        BASE64_STANDARD.decode(body).unwrap()
    } else {
        body.to_vec()
    };
    let (what, number) = header("x-do")
        .split_once(':')
        .unwrap_or((header("x-do"), ""));
    let mut frames = vec![frame.clone()];
    let mut trailer = "grpc-status:0\r\n".to_owned();
    match what {
        "" => {}
        "hang" => std::future::pending().await,
        "garbage" => frames = vec![vec![0, 0, 0, 0, 2, 0x72, 9]],
        "status" => {
            frames.clear();
            trailer = format!("grpc-status:{number}\r\ngrpc-message:it%20went%20wr%C3%B6ng\r\n");
        }
        "details" => {
            frames.clear();
            trailer = format!(
                "grpc-status:3\r\ngrpc-message:bad\r\ngrpc-status-details-bin:{}\r\n",
                details()
            );
        }
        "trailers" => trailer.push_str("x-trailing:last\r\ntrail-bin:/w\r\n"),
        "http" => return reply(number.parse().unwrap(), "text/plain", "as\nasked"),
        other => panic!("{other:?}"),
    }
    if method == "Repeat" && what.is_empty() {
        // int32_value is field 3, and the only one here.
        frames = vec![frame.clone(); frame[6].into()];
    }
    let length = u32::try_from(trailer.len()).unwrap().to_be_bytes();
    frames.push([&[0x80], &length[..], trailer.as_bytes()].concat());
    let body = if is_text {
        let texts: Vec<String> = frames
            .iter()
            .map(|frame| BASE64_STANDARD.encode(frame))
            .collect();
        Bytes::from(texts.concat())
    } else {
        Bytes::from(frames.concat())
    };
    let mut answer = reply(200, content_type, body);
    for (name, value) in question.headers() {
        let name = HeaderName::try_from(format!("echo-{name}")).unwrap();
        answer.headers_mut().insert(name, value.clone());
    }
    let path = HeaderValue::try_from(question.uri().path()).unwrap();
    answer.headers_mut().insert("echo-path", path);
    answer
}

/// `google.rpc.Status` with one of Google's details, one that scripts load and one of neither.
fn details() -> String {
    let detail = |name: &str, value: Vec<u8>| prost_types::Any {
        type_url: format!("type.googleapis.com/{name}"),
        value,
    };
    // field_violations = 1 { field = 1; description = 2 }
    let violation = [&[0x0a, 4][..], b"isbn", &[0x12, 3], b"odd"].concat();
    let violations = [
        &[0x0a, u8::try_from(violation.len()).unwrap()][..],
        &violation,
    ]
    .concat();
    let mut status = vec![0x08, 3, 0x12, 3, b'b', b'a', b'd'];
    for any in [
        detail("google.rpc.BadRequest", violations),
        detail("every.kind.v1.Everything", vec![0x18, 7]),
        detail("other.Type", vec![1, 2, 3]),
    ] {
        status.push(0x1a);
        any.encode_length_delimited(&mut status).unwrap();
    }
    BASE64_STANDARD_NO_PAD.encode(status)
}
