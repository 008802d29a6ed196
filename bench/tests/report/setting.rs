//! Where and how the invented sessions claim to have been measured.

use std::collections::BTreeMap;

use bookstore_bench::record::{CpuMeter, LoadModel, Machine, ServerFacts, Settings};

pub const CORES: u32 = 4;
pub const WINDOW_S: f64 = 1.0;

pub fn machine() -> Machine {
    Machine {
        os: "linux".to_owned(),
        kernel: Some("6.18.0".to_owned()),
        cpu_model: Some("Invented CPU at 3.0 GHz".to_owned()),
        logical_cores: CORES,
        memory_bytes: Some(8 << 30),
        hypervisor: Some("kvm".to_owned()),
        governor: None,
        irq_time_accounting: Some(false),
        load_average_x100: Some(12),
        tcp_congestion_control: Some("cubic".to_owned()),
        cpu_meter: CpuMeter::ProcessCpuClock,
        rustc: Some("rustc 1.95.0".to_owned()),
        advice: Vec::new(),
    }
}

pub fn settings(rounds: u32, order: Vec<Vec<String>>) -> Settings {
    Settings {
        profile: "quick".to_owned(),
        vus: 20,
        warmup_s: 0.5,
        duration_s: WINDOW_S,
        rounds,
        model: LoadModel::Closed,
        seed: 7,
        order,
        server_workers: 2,
        load_workers: 2,
        driver: "load".to_owned(),
        tie_margin: 0.05,
        surcharges: BTreeMap::new(),
    }
}

pub fn server_facts() -> ServerFacts {
    ServerFacts {
        version: "0.1.0".to_owned(),
        git_revision: Some("0123456789ab".to_owned()),
        build_profile: "release".to_owned(),
        debug_assertions: false,
        allocator: "mimalloc".to_owned(),
        log_level: "warn".to_owned(),
        worker_threads: 2,
        graphql_document_cache: true,
    }
}
