//! Messages of gRPC and gRPC-Web in bodies, and where their status stands.

use base64::{Engine as _, engine::general_purpose::STANDARD as BASE64};
use bytes::Bytes;
use http::HeaderMap;

use super::peer::{VerifyError, unreadable};

/// One message with gRPC's 5-byte prefix.
pub(super) fn frame(message: &[u8]) -> Bytes {
    // Questions are a few hundred kB at most.
    let length = u32::try_from(message.len()).unwrap_or(u32::MAX);
    let mut framed = Vec::with_capacity(5 + message.len());
    framed.push(0);
    framed.extend_from_slice(&length.to_be_bytes());
    framed.extend_from_slice(message);
    framed.into()
}

/// All frames of a body, each with its flag byte.
pub(super) fn frames<'a>(
    what: &str,
    mut body: &'a [u8],
) -> Result<Vec<(u8, &'a [u8])>, VerifyError> {
    let mut frames = Vec::new();
    while !body.is_empty() {
        let cut = || unreadable(what, "a frame is cut short");
        let (head, rest) = body.split_at_checked(5).ok_or_else(cut)?;
        let length = u32::from_be_bytes([head[1], head[2], head[3], head[4]]) as usize;
        let (content, rest) = rest.split_at_checked(length).ok_or_else(cut)?;
        frames.push((head[0], content));
        body = rest;
    }
    Ok(frames)
}

/// The contents of all frames of a body.
pub(super) fn messages(what: &str, body: &[u8]) -> Result<Vec<Vec<u8>>, VerifyError> {
    Ok(frames(what, body)?
        .into_iter()
        .map(|(_, content)| content.to_vec())
        .collect())
}

/// A body as gRPC-Web text.
pub(super) fn encode_text(body: &[u8]) -> Bytes {
    BASE64.encode(body).into()
}

/// gRPC-Web text is a row of base64 chunks, each padded by itself.
pub(super) fn decode_text(what: &str, text: &[u8]) -> Result<Vec<u8>, VerifyError> {
    let mut decoded = Vec::new();
    for group in text.chunks(4) {
        let bytes = BASE64
            .decode(group)
            .map_err(|error| unreadable(what, &error.to_string()))?;
        decoded.extend(bytes);
    }
    Ok(decoded)
}

/// `grpc-status` among headers or trailers.
pub(super) fn status_of(headers: &HeaderMap) -> Option<i32> {
    headers.get("grpc-status")?.to_str().ok()?.parse().ok()
}

/// `grpc-status` in the trailers that gRPC-Web sends as a block of text.
pub(super) fn status_in(block: &[u8]) -> Option<i32> {
    let block = std::str::from_utf8(block).ok()?;
    let line = block
        .lines()
        .find_map(|line| line.strip_prefix("grpc-status:"))?;
    line.trim().parse().ok()
}
