//! What a driver asked and got, whatever the protocol.

use std::collections::BTreeMap;

use crate::recorder::Conversation;

/// How often each head of a request was sent, a head being all its lines.
pub type Heads = BTreeMap<Vec<String>, usize>;

/// The requests of one run and their answers.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    pub heads: Heads,
    pub requests: usize,
    pub answers: usize,
    /// Bytes of request bodies.
    pub sent_body: usize,
    /// Bytes of response bodies.
    pub received_body: usize,
}

impl Traffic {
    /// Adds a request with its head.
    pub fn add_request(&mut self, head: Vec<String>) {
        *self.heads.entry(head).or_default() += 1;
        self.requests += 1;
    }
}

/// All bytes that were sent and received.
pub fn wire_bytes(conversations: &[Conversation]) -> (u64, u64) {
    let sum = |part: fn(&Conversation) -> usize| -> u64 {
        conversations.iter().map(part).sum::<usize>() as u64
    };
    (
        sum(|conversation| conversation.sent.len()),
        sum(|conversation| conversation.received.len()),
    )
}
