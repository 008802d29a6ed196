//! Statistics of paired rounds.
