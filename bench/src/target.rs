//! The server process under test.
