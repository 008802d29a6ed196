//! The five ways to make one call.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use http::Version;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    Grpc,
    WebOverHttp1,
    WebOverHttp2,
    TextOverHttp1,
    TextOverHttp2,
}

impl Style {
    pub const ALL: [Self; 5] = [
        Self::Grpc,
        Self::WebOverHttp1,
        Self::WebOverHttp2,
        Self::TextOverHttp1,
        Self::TextOverHttp2,
    ];

    pub fn version(self) -> Version {
        match self {
            Self::WebOverHttp1 | Self::TextOverHttp1 => Version::HTTP_11,
            Self::Grpc | Self::WebOverHttp2 | Self::TextOverHttp2 => Version::HTTP_2,
        }
    }

    pub fn content_type(self) -> &'static str {
        match self {
            Self::Grpc => "application/grpc",
            Self::WebOverHttp1 | Self::WebOverHttp2 => "application/grpc-web+proto",
            Self::TextOverHttp1 | Self::TextOverHttp2 => "application/grpc-web-text+proto",
        }
    }

    pub fn is_text(self) -> bool {
        matches!(self, Self::TextOverHttp1 | Self::TextOverHttp2)
    }

    /// The body that carries these frames.
    pub fn body(self, frames: &[u8]) -> Vec<u8> {
        if self.is_text() {
            STANDARD.encode(frames).into_bytes()
        } else {
            frames.to_vec()
        }
    }
}
