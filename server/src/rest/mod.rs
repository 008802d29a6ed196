//! REST adapter.
