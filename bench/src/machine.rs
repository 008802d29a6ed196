//! Facts about the machine.
