//! Sessions that are short, for every test that makes some.

/// Flags that make any session short; the last of two equal flags counts. Scripts run for a second at
/// least, and k6 may not be there; that both drivers work is tested where it is said.
pub const FLAGS: [&str; 12] = [
    "--driver",
    "load",
    "--allow-debug",
    "--no-progress",
    "--vus",
    "2",
    "--warmup",
    "100ms",
    "--duration",
    "150ms",
    "--rounds",
    "1",
];
