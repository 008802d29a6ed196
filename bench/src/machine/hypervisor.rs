//! Whether the machine is virtual, and by what.

use std::path::Path;

use super::first_line::line_of;

/// The hypervisor's name; `unnamed` when the processor says that there is one and nothing names it;
/// `None` on bare metal and where the processor does not say.
pub(super) fn name(root: &Path, cpuinfo: &str) -> Option<String> {
    let kind = line_of(&root.join("sys/hypervisor/type"));
    if kind.is_none() && !is_flagged(cpuinfo) {
        return None;
    }
    let dmi = root.join("sys/class/dmi/id");
    let board = [
        line_of(&dmi.join("sys_vendor")),
        line_of(&dmi.join("product_name")),
    ];
    let board = board.into_iter().flatten().collect::<Vec<_>>().join(" ");
    Some(
        kind.or((!board.is_empty()).then_some(board))
            .unwrap_or_else(|| "unnamed".to_owned()),
    )
}

/// The processor's own flag, which a hypervisor sets for its guests (x86 only).
fn is_flagged(cpuinfo: &str) -> bool {
    cpuinfo
        .lines()
        .find(|line| line.starts_with("flags"))
        .is_some_and(|line| {
            line.split_ascii_whitespace()
                .any(|flag| flag == "hypervisor")
        })
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::fs;

    use tempfile::TempDir;

    use super::*;

    const VIRTUAL: &str = "processor : 0\nflags\t\t: fpu hypervisor lahf_lm\n";

    #[test]
    fn the_board_names_the_hypervisor_and_its_absence_is_no_bare_metal() {
        let root = TempDir::new().unwrap();
        assert_eq!(name(root.path(), "flags\t\t: fpu lahf_lm\n"), None);
        assert_eq!(name(root.path(), VIRTUAL).unwrap(), "unnamed");

        let dmi = root.path().join("sys/class/dmi/id");
        fs::create_dir_all(&dmi).unwrap();
        fs::write(dmi.join("sys_vendor"), "QEMU\n").unwrap();
        fs::write(dmi.join("product_name"), "Standard PC\n").unwrap();
        assert_eq!(name(root.path(), VIRTUAL).unwrap(), "QEMU Standard PC");
    }

    #[test]
    fn xen_names_itself() {
        let root = TempDir::new().unwrap();
        fs::create_dir_all(root.path().join("sys/hypervisor")).unwrap();
        fs::write(root.path().join("sys/hypervisor/type"), "xen\n").unwrap();
        assert_eq!(name(root.path(), "").unwrap(), "xen");
    }
}
