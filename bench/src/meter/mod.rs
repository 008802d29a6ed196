//! CPU and memory of processes.
