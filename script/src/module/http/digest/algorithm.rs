//! How secrets are hashed.

use std::fmt::Write;

use md5::{Digest, Md5};
use sha2::{Sha256, Sha512_256};

use super::DigestError;

/// A hash, and what of the exchange goes into the secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Algorithm {
    pub(super) hash: Hash,
    /// Whether the nonces are part of the secret.
    pub(super) has_session: bool,
}

/// A hash function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hash {
    Md5,
    Sha256,
    Sha512Of256,
}

impl Algorithm {
    /// The one of a name, whatever its case.
    ///
    /// # Errors
    /// When it is unknown.
    pub(super) fn of(name: &str) -> Result<Self, DigestError> {
        let upper = name.to_ascii_uppercase();
        let (base, has_session) = match upper.strip_suffix("-SESS") {
            Some(base) => (base, true),
            None => (upper.as_str(), false),
        };
        let hash = match base {
            "MD5" => Hash::Md5,
            "SHA-256" => Hash::Sha256,
            "SHA-512-256" => Hash::Sha512Of256,
            _ => return Err(DigestError::Algorithm(name.to_owned())),
        };
        Ok(Self { hash, has_session })
    }
}

impl Hash {
    /// The hash in hexadecimal digits.
    pub(super) fn hex(self, bytes: &[u8]) -> String {
        match self {
            Self::Md5 => hex(&Md5::digest(bytes)),
            Self::Sha256 => hex(&Sha256::digest(bytes)),
            Self::Sha512Of256 => hex(&Sha512_256::digest(bytes)),
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
