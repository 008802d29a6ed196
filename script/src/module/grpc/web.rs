//! Parameters that `k6/x/grpcweb` has beside those of `k6/net/grpc`.

use http::{HeaderMap, uri::PathAndQuery};
use rquickjs::Value;

use super::{
    params::{Read, Wanted, boolean, metadata, text, wrong},
    protocol::Protocol,
    transport::{HttpVersion, WebSettings},
};
use crate::global::inspect;

/// Takes a parameter of `connect`; false when it is none of these.
pub(super) fn connect_param(
    settings: &mut WebSettings,
    key: &str,
    value: &Value<'_>,
) -> Read<bool> {
    match key {
        "text" => settings.text = boolean(key, value)?,
        "basePath" => settings.base_path = base_path(&text(key, value)?)?,
        "headers" => settings.headers = metadata(key, value, Protocol::Web)?,
        "httpVersion" => {
            settings.version = match one_of(key, value, &["auto", "1.1", "2"])?.as_str() {
                "2" => HttpVersion::Http2,
                "1.1" => HttpVersion::Http1,
                _ => HttpVersion::Auto,
            }
        }
        "compression" => {
            one_of(key, value, &["gzip"])?;
            settings.gzip = true;
        }
        "connectionSharing" => {
            if boolean(key, value)? {
                return wrong(
                    "connectionSharing is not built into this runner, where each virtual user has \
                     connections of its own; leave it out, or run the script with k6",
                );
            }
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// What the parameter `responseType` asks for.
pub(super) fn response_type(key: &str, value: &Value<'_>) -> Read<Wanted> {
    Ok(
        match one_of(key, value, &["json", "binary", "none"])?.as_str() {
            "json" => Wanted::Object,
            "binary" => Wanted::Bytes,
            _ => Wanted::Nothing,
        },
    )
}

/// A path with a slash before it and none behind it.
fn base_path(given: &str) -> Read<String> {
    let trimmed = given.trim_matches('/');
    if trimmed.is_empty() {
        return Ok(String::new());
    }
    let path = format!("/{trimmed}");
    let is_path = !path.contains(['?', '#']) && PathAndQuery::try_from(path.as_str()).is_ok();
    if is_path {
        Ok(path)
    } else {
        wrong(format!(
            "invalid basePath value: '{given}', it needs to be a path such as '/api'"
        ))
    }
}

fn one_of(key: &str, value: &Value<'_>, choices: &[&str]) -> Read<String> {
    let given = match value.as_string() {
        Some(text) => text.to_string()?,
        None => String::new(),
    };
    if choices.contains(&given.as_str()) {
        return Ok(given);
    }
    wrong(format!(
        "invalid {key} value: '{}', it needs to be one of {choices:?}",
        inspect(value)
    ))
}

/// Headers that belong to the protocol or to HTTP; a value of the script's would contradict the
/// real one.
const RESERVED: [&str; 15] = [
    "accept",
    "accept-encoding",
    "connection",
    "content-encoding",
    "content-length",
    "content-type",
    "expect",
    "host",
    "keep-alive",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "x-grpc-web",
];

/// Refuses a key of metadata that is reserved, and a text that a header cannot carry.
pub(super) fn check_metadata(key: &str, text: &str) -> Read<()> {
    let lower = key.to_ascii_lowercase();
    if lower.starts_with("grpc-") || RESERVED.contains(&lower.as_str()) {
        return wrong(format!(
            "metadata key {key:?} is reserved by the protocol; remove it or use another name"
        ));
    }
    match text.chars().find(|char| !matches!(char, ' '..='~')) {
        None => Ok(()),
        Some(char) => wrong(format!(
            "metadata value of {key:?} has the character {char:?}, which a header cannot carry; \
             use a key that ends in -bin"
        )),
    }
}

/// The values of a received header: one line of a binary one may hold several.
pub(super) fn values_of<'a>(
    headers: &'a HeaderMap,
    name: &'a str,
) -> impl Iterator<Item = &'a [u8]> {
    let is_binary = name.ends_with("-bin");
    headers.get_all(name).iter().flat_map(move |value| {
        let parts = value
            .as_bytes()
            .split(move |byte| is_binary && *byte == b',');
        parts.map(<[u8]>::trim_ascii)
    })
}
