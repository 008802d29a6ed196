//! From runs to findings.
