//! What `handleSummary` returns.

use std::{fs, path::Path};

use rquickjs::{Ctx, Result, Value};

use crate::{
    engine::throw,
    log::{Log, Streams},
    module::bytes_of,
};

/// Contents by where they go: `stdout`, `stderr` or a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Written(Vec<(String, Vec<u8>)>);

/// Reads the result of `handleSummary`; `None` when it left the summary to the runner.
pub(crate) fn read_result<'js>(ctx: &Ctx<'js>, value: Value<'js>) -> Result<Option<Written>> {
    let is_falsy = value.is_null()
        || value.is_undefined()
        || value.as_bool() == Some(false)
        || value.as_number() == Some(0.0);
    if is_falsy {
        return Ok(None);
    }
    let wrong = || throw(ctx, "handleSummary() should return a map with string keys");
    let object = value.as_object().filter(|object| !object.is_array());
    let object = object.ok_or_else(wrong)?;
    let mut written = Written::default();
    for entry in object.props::<String, Value>() {
        let (place, content) = entry?;
        let content = match content.as_string() {
            Some(text) => text.to_string()?.into_bytes(),
            None => bytes_of(&content).ok_or_else(|| {
                throw(
                    ctx,
                    format!("handleSummary(): the content of {place} is no string or ArrayBuffer"),
                )
            })?,
        };
        written.0.push((place, content));
    }
    Ok(Some(written))
}

impl Written {
    /// Writes everything; what cannot be written is logged.
    pub(crate) fn write(&self, streams: &Streams, log: &Log) {
        for (place, content) in &self.0 {
            match place.as_str() {
                "stdout" => streams.print(content),
                "stderr" => streams.print_error(content),
                file => {
                    if let Err(error) = fs::write(Path::new(file), content) {
                        log.error(format!("handleSummary(): cannot write {file}: {error}"));
                    }
                }
            }
        }
    }
}
