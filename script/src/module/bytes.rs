//! Bytes that a script hands over.

use rquickjs::{ArrayBuffer, Value};

/// The content of an `ArrayBuffer` or of a view of one; `None` for other values.
#[must_use]
pub fn bytes_of(value: &Value<'_>) -> Option<Vec<u8>> {
    let object = value.as_object()?;
    if let Some(buffer) = ArrayBuffer::from_object(object.clone()) {
        // SAFETY: no JavaScript runs while the bytes are copied.
        return unsafe { buffer.as_bytes() }.map(<[u8]>::to_vec);
    }
    let buffer: ArrayBuffer = object.get("buffer").ok()?;
    let offset: usize = object.get("byteOffset").ok()?;
    let length: usize = object.get("byteLength").ok()?;
    // SAFETY: no JavaScript runs while the bytes are copied.
    let bytes = unsafe { buffer.as_bytes() }?;
    bytes
        .get(offset..offset.checked_add(length)?)
        .map(<[u8]>::to_vec)
}
