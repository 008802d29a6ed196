//! The load process's own CPU against that of wrk and h2load, for the same request to the same server.

use std::{net::Ipv4Addr, path::Path};

use anyhow::{Context, ensure};
use floor::{Memory, RecordedRequest, Teacher};
use tokio::net::TcpListener;

use crate::{
    cli::Limits,
    load::{self, Length},
    order,
    programs::{self, Programs},
    progress::say,
    ratio::Pairs,
    rivals,
    row::Row,
    server::Server,
    time::in_order,
};

/// Client CPU of one row, in µs per operation.
pub struct ClientTimes {
    pub row: Row,
    pub us_per_op: Pairs,
}

/// Compares every row of one request per operation.
pub fn measure(
    programs: &Programs,
    options: &Limits,
    rows: &[Row],
) -> anyhow::Result<Vec<ClientTimes>> {
    let bench = programs.bench()?;
    let rows: Vec<_> = rows
        .iter()
        .filter(|row| row.cell.requests_per_op == 1)
        .collect();
    ensure!(
        !rows.is_empty(),
        "wrk and h2load repeat one request, and none of these cells has just one"
    );
    for row in &rows {
        programs::require(rivals::program(row.protocol()))?;
    }
    let requests = rows
        .iter()
        .map(|row| record(&bench, row).with_context(|| format!("recording {}", row.id)))
        .collect::<anyhow::Result<Vec<_>>>()?;
    let mut times: Vec<_> = rows
        .iter()
        .map(|&row| ClientTimes {
            row: row.clone(),
            us_per_op: Pairs::default(),
        })
        .collect();
    // wrk takes whole seconds only.
    let seconds = options.duration_ms.div_ceil(1000);
    for (round, turns) in order::rounds(rows.len(), options.rounds, options.seed)
        .iter()
        .enumerate()
    {
        for turn in turns {
            let row = rows[turn.row];
            let server = Server::target(&bench, options.workers, None)?;
            let url = server.url(row.protocol())?;
            let load = |millis| {
                load::drive(&bench, row, url, options.vus, Length::Millis(millis))
                    .map(|loaded| loaded.cpu.as_secs_f64() * 1e6 / loaded.summary.operations as f64)
            };
            let rival = || {
                let request = &requests[turn.row];
                rivals::drive(row.protocol(), url, request, options.vus, seconds)
            };
            load(options.warmup_ms)?;
            let (ours, theirs) = in_order(turn.ours_first, || load(seconds * 1000), rival)?;
            server.stop()?;
            say(&format!(
                "round {} of {}: {:<13} load {ours:7.2} µs, {} {theirs:7.2} µs",
                round + 1,
                options.rounds,
                row.id,
                rivals::program(row.protocol()),
            ));
            times[turn.row].us_per_op.push(ours, theirs);
        }
    }
    Ok(times)
}

/// The request that `load` sends for a row, caught by a floor server in this process.
pub fn record(bench: &Path, row: &Row) -> anyhow::Result<RecordedRequest> {
    let target = Server::target(bench, 1, None)?;
    let teacher = Teacher::new(target.url(row.protocol())?, row.protocol())?;
    // Serving tasks borrow it for as long as they live; a few hundred bytes per row.
    let memory: &'static Memory = Box::leak(Box::new(Memory::new(teacher, 1)));
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .context("cannot start the runtime")?;
    let listener = runtime
        .block_on(TcpListener::bind((Ipv4Addr::LOCALHOST, 0)))
        .context("cannot listen")?;
    let url = format!("http://{}", listener.local_addr()?);
    runtime.spawn(floor::serve(listener, row.protocol(), memory));
    load::drive(bench, row, &url, 1, Length::Operations(1))?;
    target.stop()?;
    let exchanges = memory
        .exchanges()
        .context("the load process sent no request")?;
    Ok(exchanges[0].request.clone())
}
