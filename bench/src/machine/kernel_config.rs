//! The options that the kernel was built with.

use std::{
    fs::{self, File},
    io::Read,
    path::Path,
};

use flate2::read::GzDecoder;

const IRQ_TIME: &str = "CONFIG_IRQ_TIME_ACCOUNTING";
const NETEM: &str = "CONFIG_NET_SCH_NETEM";
/// A kernel's options are some 300 kB of text.
const LONGEST_CONFIG: u64 = 4 << 20;

/// Whether the kernel takes interrupt time out of a process's CPU time, by `/proc/config.gz` or
/// `/boot/config-RELEASE`; `None` when neither can be read.
pub(super) fn irq_time_accounting(root: &Path, release: Option<&str>) -> Option<bool> {
    Some(is_enabled(&text(root, release)?, IRQ_TIME))
}

/// Whether the kernel has `tc netem`, built in or as a module, by the same files.
pub(super) fn netem(root: &Path, release: Option<&str>) -> Option<bool> {
    Some(is_enabled(&text(root, release)?, NETEM))
}

fn text(root: &Path, release: Option<&str>) -> Option<String> {
    packed(&root.join("proc/config.gz"))
        .or_else(|| fs::read_to_string(root.join(format!("boot/config-{}", release?))).ok())
}

fn packed(path: &Path) -> Option<String> {
    let mut text = String::new();
    GzDecoder::new(File::open(path).ok()?)
        .take(LONGEST_CONFIG)
        .read_to_string(&mut text)
        .ok()?;
    Some(text)
}

/// An option that a kernel's architecture does not offer is not listed, and off.
fn is_enabled(config: &str, option: &str) -> bool {
    config
        .lines()
        .filter_map(|line| line.strip_prefix(option))
        .any(|value| value == "=y" || value == "=m")
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::io::Write;

    use flate2::{Compression, write::GzEncoder};
    use tempfile::TempDir;

    use super::*;

    #[test]
    fn the_packed_config_is_read_before_the_one_in_boot() {
        let root = TempDir::new().unwrap();
        assert_eq!(irq_time_accounting(root.path(), Some("6.1")), None);

        fs::create_dir_all(root.path().join("boot")).unwrap();
        fs::write(
            root.path().join("boot/config-6.1"),
            format!("# {IRQ_TIME} is not set\n{NETEM}=m\n"),
        )
        .unwrap();
        assert_eq!(irq_time_accounting(root.path(), Some("6.1")), Some(false));
        assert_eq!(irq_time_accounting(root.path(), None), None);
        assert_eq!(netem(root.path(), Some("6.1")), Some(true));

        fs::create_dir_all(root.path().join("proc")).unwrap();
        let file = File::create(root.path().join("proc/config.gz")).unwrap();
        let mut gzip = GzEncoder::new(file, Compression::default());
        write!(gzip, "CONFIG_X=y\n{IRQ_TIME}=y\n").unwrap();
        gzip.finish().unwrap();
        assert_eq!(irq_time_accounting(root.path(), Some("6.1")), Some(true));
        assert_eq!(netem(root.path(), Some("6.1")), Some(false));
    }
}
