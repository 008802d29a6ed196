//! Linux: everything from `/proc`, `/sys` and `/boot`. What cannot be read stays unknown.

use std::{fs, path::Path};

use super::{State, first_line::line_of, hypervisor, kernel_config};

/// Reads the machine below `root`.
pub(super) fn read(root: &Path) -> State {
    let cpuinfo = fs::read_to_string(root.join("proc/cpuinfo")).unwrap_or_default();
    let kernel = line_of(&root.join("proc/sys/kernel/osrelease"));
    State {
        cpu_model: value_of(&cpuinfo, "model name"),
        memory_bytes: memory_bytes(root),
        hypervisor: hypervisor::name(root, &cpuinfo),
        governor: line_of(&root.join("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")),
        irq_time_accounting: kernel_config::irq_time_accounting(root, kernel.as_deref()),
        load_average: line_of(&root.join("proc/loadavg"))
            .and_then(|line| line.split(' ').next()?.parse().ok()),
        tcp_congestion_control: line_of(&root.join("proc/sys/net/ipv4/tcp_congestion_control")),
        steal_share: fs::read_to_string(root.join("proc/stat"))
            .ok()
            .as_deref()
            .and_then(steal_share),
        on_battery: on_battery(&root.join("sys/class/power_supply")),
        kernel,
    }
}

/// Whether the kernel offers `tc netem`; `None` when its options cannot be read.
pub(super) fn has_netem(root: &Path) -> Option<bool> {
    let kernel = line_of(&root.join("proc/sys/kernel/osrelease"));
    kernel_config::netem(root, kernel.as_deref())
}

/// The value behind the first `key : value` line.
fn value_of(text: &str, key: &str) -> Option<String> {
    let has_key = |line: &str| {
        let (name, value) = line.split_once(':')?;
        (name.trim() == key).then(|| value.trim().to_owned())
    };
    text.lines().find_map(has_key)
}

fn memory_bytes(root: &Path) -> Option<u64> {
    let meminfo = fs::read_to_string(root.join("proc/meminfo")).ok()?;
    let kib: u64 = value_of(&meminfo, "MemTotal")?
        .strip_suffix("kB")?
        .trim()
        .parse()
        .ok()?;
    Some(kib * 1024)
}

/// Steal's share of the first eight counters of the `cpu` line (proc(5)); guest time behind them is
/// already counted.
fn steal_share(stat: &str) -> Option<f64> {
    let line = stat.lines().find_map(|line| line.strip_prefix("cpu "))?;
    let ticks: Vec<u64> = line
        .split_ascii_whitespace()
        .take(8)
        .map(str::parse)
        .collect::<Result<_, _>>()
        .ok()?;
    let total: u64 = ticks.iter().sum();
    let steal = *ticks.get(7)?;
    (total > 0).then(|| steal as f64 / total as f64)
}

/// Whether a battery is being emptied and no mains supply is on line.
fn on_battery(supplies: &Path) -> bool {
    let Ok(entries) = fs::read_dir(supplies) else {
        return false;
    };
    let supplies: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    let says =
        |path: &Path, file: &str, value: &str| line_of(&path.join(file)).as_deref() == Some(value);
    let on_mains = supplies
        .iter()
        .any(|path| says(path, "type", "Mains") && says(path, "online", "1"));
    !on_mains
        && supplies
            .iter()
            .any(|path| says(path, "type", "Battery") && says(path, "status", "Discharging"))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use tempfile::TempDir;

    use super::*;

    fn root_with(files: &[(&str, &str)]) -> TempDir {
        let root = TempDir::new().unwrap();
        for (path, content) in files {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        root
    }

    #[test]
    fn an_empty_machine_is_unknown_and_not_zero() {
        let root = root_with(&[]);
        assert_eq!(read(root.path()), State::default());
    }

    #[test]
    fn every_fact_is_found() {
        let root = root_with(&[
            (
                "proc/cpuinfo",
                "processor\t: 0\nmodel name\t: Some CPU @ 3 GHz\nflags\t\t: fpu\n",
            ),
            ("proc/sys/kernel/osrelease", "6.1.0-x\n"),
            ("proc/meminfo", "MemTotal:        2048 kB\nMemFree:  1 kB\n"),
            ("proc/loadavg", "1.25 0.57 0.44 1/96 16437\n"),
            ("proc/stat", "cpu  10 10 10 50 10 2 3 5 7 7\n"),
            ("proc/sys/net/ipv4/tcp_congestion_control", "cubic\n"),
            (
                "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
                "schedutil\n",
            ),
            ("boot/config-6.1.0-x", "CONFIG_IRQ_TIME_ACCOUNTING=y\n"),
            ("sys/class/power_supply/AC/type", "Mains\n"),
            ("sys/class/power_supply/AC/online", "0\n"),
            ("sys/class/power_supply/BAT0/type", "Battery\n"),
            ("sys/class/power_supply/BAT0/status", "Discharging\n"),
        ]);
        assert_eq!(
            read(root.path()),
            State {
                kernel: Some("6.1.0-x".to_owned()),
                cpu_model: Some("Some CPU @ 3 GHz".to_owned()),
                memory_bytes: Some(2 * 1024 * 1024),
                hypervisor: None,
                governor: Some("schedutil".to_owned()),
                irq_time_accounting: Some(true),
                load_average: Some(1.25),
                tcp_congestion_control: Some("cubic".to_owned()),
                steal_share: Some(0.05),
                on_battery: true,
            }
        );
    }

    #[test]
    fn a_battery_behind_mains_is_not_on_battery() {
        let root = root_with(&[
            ("sys/class/power_supply/AC/type", "Mains\n"),
            ("sys/class/power_supply/AC/online", "1\n"),
            ("sys/class/power_supply/BAT0/type", "Battery\n"),
            ("sys/class/power_supply/BAT0/status", "Discharging\n"),
        ]);
        assert!(!read(root.path()).on_battery);
    }
}
