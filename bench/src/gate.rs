//! Validity gates.
