//! The compiled load clients.
