//! The two protocols that a floor server speaks.

/// What a floor server speaks on its port.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Protocol {
    /// HTTP/1.1 with keep-alive.
    Http1,
    /// HTTP/2 without TLS, by prior knowledge.
    H2c,
}
