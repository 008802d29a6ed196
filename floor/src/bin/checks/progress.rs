//! Progress on standard error, so that standard output holds only results.

/// Says one line.
#[expect(
    clippy::print_stderr,
    reason = "progress of a tool that a person watches"
)]
pub fn say(line: &str) {
    eprintln!("{line}");
}
