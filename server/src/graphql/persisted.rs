//! Requests that name their document instead of sending it.
//!
//! Two ways, both only when [`PersistedDocuments`] allows them:
//! * **by hash**: `extensions.persistedQuery = {version: 1, sha256Hash}`, as Apollo's clients do it. An
//!   unknown hash answers `PersistedQueryNotFound`; the client then sends hash and document once, and
//!   the document is kept when it was executed;
//! * **by id**: `documentId`, one of the ids in [`LISTED`]. They are short because the byte counts are
//!   what they are for.
//!
//! Over GET the parameters have the same names, and `extensions` is a JSON text.

use std::{
    borrow::Cow,
    num::NonZeroUsize,
    sync::{Mutex, MutexGuard, PoisonError},
};

use lru::LruCache;
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

use super::{PersistedDocuments, envelope::Envelope, refusal::Refusal};

/// The documents of the measured operations by their ids.
pub const LISTED: [(&str, &str); 2] = [
    (
        "a",
        include_str!("../../../k6/lib/documents/reserve-stock.graphql"),
    ),
    (
        "b",
        include_str!("../../../k6/lib/documents/book-detail.graphql"),
    ),
];
/// Documents kept by their hashes at most.
const MAX_KEPT: NonZeroUsize = NonZeroUsize::new(512).unwrap();
/// A longer document is not kept, so that what is kept stays below 8 MiB.
const MAX_KEPT_BYTES: usize = 16 * 1024;

type Hash = [u8; 32];

/// A document to be kept once it was executed.
#[derive(Debug)]
pub struct Candidate {
    hash: Hash,
    text: String,
}

/// What is known of documents.
#[derive(Debug)]
pub struct Persisted {
    mode: PersistedDocuments,
    listed: Vec<(Hash, &'static str)>,
    kept: Mutex<LruCache<Hash, String>>,
}

impl Persisted {
    /// Knows the listed documents alone.
    pub fn new(mode: PersistedDocuments) -> Self {
        let hashed = |(_, text): &(&str, &'static str)| (hash_of(text), *text);
        Self {
            mode,
            listed: LISTED.iter().map(hashed).collect(),
            kept: Mutex::new(LruCache::new(MAX_KEPT)),
        }
    }

    /// Puts the document that is asked for in its place, and tells which one is to be kept.
    ///
    /// # Errors
    /// It is not known, or not allowed.
    pub fn resolve(&self, envelope: &mut Envelope<'_>) -> Result<Option<Candidate>, Refusal> {
        let is_plain = envelope.document_id.is_none() && envelope.extensions.is_none();
        if is_plain && envelope.query.is_some() && self.mode != PersistedDocuments::AllowList {
            return Ok(None);
        }
        self.resolve_reference(envelope)
    }

    fn resolve_reference(&self, envelope: &mut Envelope<'_>) -> Result<Option<Candidate>, Refusal> {
        if let Some(id) = envelope.document_id.take() {
            if envelope.query.is_some() {
                return Err(malformed("both \"documentId\" and \"query\" were sent"));
            }
            if self.mode == PersistedDocuments::Off {
                return Err(Refusal::PersistedQueryNotSupported);
            }
            let found = LISTED.iter().find(|(known, _)| *known == id);
            let (_, text) = found.ok_or(Refusal::UnknownDocument { id })?;
            envelope.query = Some(Cow::Borrowed(text));
            return Ok(None);
        }
        let reference = envelope
            .extensions
            .as_ref()
            .and_then(|extensions| extensions.get("persistedQuery"));
        match (reference, envelope.query.as_deref()) {
            // Who sends the document too can be served without the rest.
            (Some(_), Some(_)) if self.mode == PersistedDocuments::Off => Ok(None),
            (Some(_), None) if self.mode == PersistedDocuments::Off => {
                Err(Refusal::PersistedQueryNotSupported)
            }
            (Some(reference), Some(text)) => self.candidate(sha256_hash(reference)?, text),
            (Some(reference), None) => {
                let hash = sha256_hash(reference)?;
                let text = self.find(hash).ok_or(Refusal::PersistedQueryNotFound)?;
                envelope.query = Some(text);
                Ok(None)
            }
            (None, Some(text)) => self.check_listed(text).map(|()| None),
            (None, None) => Err(malformed("missing field `query`")),
        }
    }

    fn candidate(&self, hash: Hash, text: &str) -> Result<Option<Candidate>, Refusal> {
        if hash_of(text) != hash {
            return Err(malformed("sha256Hash is not the SHA-256 hash of \"query\""));
        }
        self.check_listed(text)?;
        Ok((text.len() <= MAX_KEPT_BYTES).then(|| Candidate {
            hash,
            text: text.to_owned(),
        }))
    }

    fn find(&self, hash: Hash) -> Option<Cow<'static, str>> {
        let listed = self.listed.iter().find(|(known, _)| *known == hash);
        listed
            .map(|(_, text)| Cow::Borrowed(*text))
            .or_else(|| self.kept().get(&hash).cloned().map(Cow::Owned))
    }

    fn check_listed(&self, text: &str) -> Result<(), Refusal> {
        let allowed = self.mode != PersistedDocuments::AllowList
            || self.listed.iter().any(|(_, known)| *known == text);
        if allowed {
            Ok(())
        } else {
            Err(Refusal::DocumentNotListed)
        }
    }

    /// Keeps a document that was executed, at the cost of the one not asked for the longest.
    pub fn keep(&self, Candidate { hash, text }: Candidate) {
        if self.mode == PersistedDocuments::Automatic {
            self.kept().put(hash, text);
        }
    }

    fn kept(&self) -> MutexGuard<'_, LruCache<Hash, String>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn hash_of(text: &str) -> Hash {
    Sha256::digest(text).into()
}

/// Reads `{version: 1, sha256Hash: "64 hexadecimal digits"}`.
fn sha256_hash(reference: &Value) -> Result<Hash, Refusal> {
    let member = |name| {
        reference
            .as_object()
            .and_then(|map: &Map<_, _>| map.get(name))
    };
    if member("version") != Some(&Value::from(1)) {
        return Err(malformed("persistedQuery.version is not 1"));
    }
    member("sha256Hash")
        .and_then(Value::as_str)
        .and_then(from_hexadecimal)
        .ok_or_else(|| malformed("persistedQuery.sha256Hash is no text of 64 hexadecimal digits"))
}

fn from_hexadecimal(text: &str) -> Option<Hash> {
    let mut hash = Hash::default();
    let digits = text.as_bytes();
    if digits.len() != 2 * hash.len() {
        return None;
    }
    for (byte, pair) in hash.iter_mut().zip(digits.chunks_exact(2)) {
        let digit = |nth: usize| char::from(pair[nth]).to_digit(16);
        *byte = u8::try_from(digit(0)? << 4 | digit(1)?).ok()?;
    }
    Some(hash)
}

fn malformed(reason: &str) -> Refusal {
    Refusal::Envelope {
        reason: reason.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_read_in_either_case_and_nothing_else_is() {
        // FIPS 180-4's example: the hash of "abc".
        let text = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(from_hexadecimal(text), Some(hash_of("abc")));
        assert_eq!(from_hexadecimal(&text.to_uppercase()), Some(hash_of("abc")));
        for other in [
            "",
            &text[1..],
            &text.replace('b', "g"),
            &text.replace('b', "é"),
        ] {
            assert_eq!(from_hexadecimal(other), None, "{other}");
        }
    }
}
