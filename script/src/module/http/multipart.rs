//! Bodies in several parts: `multipart/form-data` (RFC 7578).

use std::{
    collections::hash_map::RandomState,
    fmt::Write,
    hash::{BuildHasher, Hasher},
};

use super::file::FileData;

/// Letters of a boundary: as many as Go's have, so that bodies are as long as k6's.
const BOUNDARY: usize = 60;

/// A body to which parts are added.
#[derive(Debug)]
pub(super) struct Multipart {
    boundary: String,
    bytes: Vec<u8>,
}

impl Multipart {
    pub(super) fn new() -> Self {
        Self {
            boundary: boundary(),
            bytes: Vec::new(),
        }
    }

    /// Adds a field with a text.
    pub(super) fn text(&mut self, name: &str, value: &str) {
        self.begin();
        let name = escaped(name);
        let head = format!("Content-Disposition: form-data; name=\"{name}\"\r\n\r\n");
        self.bytes.extend_from_slice(head.as_bytes());
        self.bytes.extend_from_slice(value.as_bytes());
    }

    /// Adds a field with a file.
    pub(super) fn file(&mut self, name: &str, file: &FileData) {
        self.begin();
        let (name, filename) = (escaped(name), escaped(&file.filename));
        let kind = file.content_type.replace(['\r', '\n'], " ");
        let head = format!(
            "Content-Disposition: form-data; name=\"{name}\"; filename=\"{filename}\"\r\n\
             Content-Type: {kind}\r\n\r\n"
        );
        self.bytes.extend_from_slice(head.as_bytes());
        self.bytes.extend_from_slice(&file.content);
    }

    /// The body, and its type.
    pub(super) fn finish(mut self) -> (Vec<u8>, String) {
        let end = format!("\r\n--{}--\r\n", self.boundary);
        self.bytes.extend_from_slice(end.as_bytes());
        let kind = format!("multipart/form-data; boundary={}", self.boundary);
        (self.bytes, kind)
    }

    fn begin(&mut self) {
        if !self.bytes.is_empty() {
            self.bytes.extend_from_slice(b"\r\n");
        }
        let line = format!("--{}\r\n", self.boundary);
        self.bytes.extend_from_slice(line.as_bytes());
    }
}

/// What no file has in it but by chance.
fn boundary() -> String {
    let mut text = String::with_capacity(BOUNDARY + 16);
    while text.len() < BOUNDARY {
        // Every state has keys of its own, which begin at random.
        let random = RandomState::new().build_hasher().finish();
        let _ = write!(text, "{random:016x}");
    }
    text.truncate(BOUNDARY);
    text
}

/// A name between quotation marks.
fn escaped(name: &str) -> String {
    let mut escaped = String::with_capacity(name.len());
    for letter in name.chars() {
        match letter {
            '"' | '\\' => escaped.extend(['\\', letter]),
            '\r' => escaped.push_str("%0D"),
            '\n' => escaped.push_str("%0A"),
            _ => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use bytes::Bytes;

    use super::*;

    #[test]
    fn parts_stand_between_boundaries() {
        let mut body = Multipart::new();
        body.text("a\"b", "1");
        body.file(
            "f",
            &FileData {
                content: Bytes::from_static(b"\x00\xff"),
                filename: "x\r\n.bin".to_owned(),
                content_type: "image/png".to_owned(),
            },
        );
        let (bytes, kind) = body.finish();
        let boundary = kind.strip_prefix("multipart/form-data; boundary=").unwrap();
        assert_eq!(boundary.len(), BOUNDARY);
        let expected = format!(
            "--{boundary}\r\nContent-Disposition: form-data; name=\"a\\\"b\"\r\n\r\n1\r\n\
             --{boundary}\r\nContent-Disposition: form-data; name=\"f\"; \
             filename=\"x%0D%0A.bin\"\r\nContent-Type: image/png\r\n\r\n@\r\n--{boundary}--\r\n"
        );
        let parts: Vec<_> = expected.split('@').map(str::as_bytes).collect();
        assert_eq!(bytes, parts.join(&b"\x00\xff"[..]));
        assert_ne!(Multipart::new().finish().1, kind);
    }
}
