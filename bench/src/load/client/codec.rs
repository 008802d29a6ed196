//! Operations that encode and decode, and send nothing.

use super::Client;
use crate::load::failure::{Fault, OperationError};

/// Does the same work in memory so many times.
#[derive(Debug)]
pub(in crate::load) struct Codec<F> {
    name: &'static str,
    /// Encodes once and decodes what came of it.
    work: F,
    calls: u32,
}

impl<F: FnMut() -> Result<(), Fault>> Codec<F> {
    pub(in crate::load) fn new(name: &'static str, work: F, calls: u32) -> Self {
        Self { name, work, calls }
    }
}

impl<F: FnMut() -> Result<(), Fault>> Client for Codec<F> {
    async fn open(&mut self) -> Result<(), OperationError> {
        Ok(())
    }

    async fn operate(&mut self) -> Result<(), OperationError> {
        for _ in 0..self.calls {
            (self.work)().map_err(|fault| OperationError::Answer {
                request: self.name.to_owned(),
                fault,
            })?;
        }
        // Nothing was waited for, so nobody else would get their turn.
        tokio::task::yield_now().await;
        Ok(())
    }

    fn reset(&mut self) {}

    async fn close(&mut self) {}
}
