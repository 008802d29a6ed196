//! Sockets that count and samples that sort.
