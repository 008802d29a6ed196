//! User-space instructions per operation, counted by callgrind.
//!
//! One worker, one connection. The count depends on no clock and hardly on what else the machine
//! does, so rows are counted on all cores at once.

use std::{
    num::NonZero,
    path::Path,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use anyhow::{Context, anyhow};

use crate::{
    callgrind,
    load::{self, Length},
    programs::{self, Programs},
    progress::say,
    row::Row,
    server::Server,
    time::same_bytes,
};

/// Operations of the shorter run: enough to fill caches, header tables and allocator pages.
const SHORTER_RUN: u32 = 100;

/// Instructions of one row, per operation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Counts {
    pub target: f64,
    pub floor: f64,
}

impl Counts {
    /// The target's as a multiple of the floor's.
    pub fn ratio(self) -> f64 {
        self.target / self.floor
    }
}

/// One server's counts.
struct Counted {
    instructions_per_op: f64,
    received_bytes_per_op: f64,
}

/// Counts every row, in the rows' order. `operations` is the length of the longer of the two runs.
pub fn count(
    programs: &Programs,
    operations: u32,
    rows: &[Row],
) -> anyhow::Result<Vec<(Row, Counts)>> {
    programs::require("valgrind")?;
    let (bench, floor) = (programs.bench()?, programs.floor()?);
    let teacher = Server::target(&bench, 1, None)?;
    let one_row = |row: &Row| {
        let target = both_runs(&bench, row, operations, |file| {
            Server::target(&bench, 1, Some(file))
        })?;
        let floor = both_runs(&bench, row, operations, |file| {
            Server::floor(&floor, row, &teacher, 1, Some(file))
        })?;
        same_bytes(
            row,
            target.received_bytes_per_op,
            floor.received_bytes_per_op,
        )?;
        let counts = Counts {
            target: target.instructions_per_op,
            floor: floor.instructions_per_op,
        };
        say(&format!(
            "{:<13} {:9.0} instructions, floor {:8.0}",
            row.id, counts.target, counts.floor
        ));
        Ok(counts)
    };
    let counts = on_all_cores(rows, one_row)?;
    teacher.stop()?;
    Ok(rows.iter().cloned().zip(counts).collect())
}

fn both_runs(
    bench: &Path,
    row: &Row,
    operations: u32,
    start: impl Fn(&Path) -> anyhow::Result<Server>,
) -> anyhow::Result<Counted> {
    let run = |operations| -> anyhow::Result<(u64, u64)> {
        let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
        let file = folder.path().join("callgrind.out");
        let server = start(&file)?;
        let loaded = load::drive(
            bench,
            row,
            server.url(row.protocol())?,
            1,
            Length::Operations(operations),
        )?;
        server.stop()?;
        Ok((
            callgrind::instructions(&file)?,
            loaded.summary.received_bytes,
        ))
    };
    let (instructions, bytes) = run(SHORTER_RUN)?;
    let (more_instructions, more_bytes) = run(operations)?;
    let instructions_per_op = callgrind::per_operation(
        (SHORTER_RUN, instructions),
        (operations, more_instructions),
    )
    .ok_or_else(|| {
        anyhow!(
            "{}: {operations} operations took no more instructions ({more_instructions}) than \
             {SHORTER_RUN} did ({instructions})",
            row.id
        )
    })?;
    Ok(Counted {
        instructions_per_op,
        received_bytes_per_op: more_bytes.saturating_sub(bytes) as f64
            / f64::from(operations - SHORTER_RUN),
    })
}

/// Applies `work` to every item, as many at a time as there are cores, and keeps the items' order.
/// After a failure nothing new is begun.
fn on_all_cores<T: Sync, R: Send>(
    items: &[T],
    work: impl Fn(&T) -> anyhow::Result<R> + Sync,
) -> anyhow::Result<Vec<R>> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(items.len()));
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        let workers: Vec<_> = (0..cores)
            .map(|_| {
                scope.spawn(|| {
                    while let Some((index, item)) = take(items, &next) {
                        let result = work(item)
                            .inspect_err(|_| next.store(items.len(), Ordering::Relaxed))?;
                        done.lock()
                            .map_err(|_| anyhow!("another row's thread panicked"))?
                            .push((index, result));
                    }
                    anyhow::Ok(())
                })
            })
            .collect();
        for worker in workers {
            worker.join().map_err(|_| anyhow!("a thread panicked"))??;
        }
        anyhow::Ok(())
    })?;
    let mut done = done
        .into_inner()
        .map_err(|_| anyhow!("a thread panicked"))?;
    done.sort_by_key(|(index, _)| *index);
    Ok(done.into_iter().map(|(_, result)| result).collect())
}

fn take<'a, T>(items: &'a [T], next: &AtomicUsize) -> Option<(usize, &'a T)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    items.get(index).map(|item| (index, item))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn results_keep_the_order_of_their_items() {
        let items: Vec<u32> = (0..50).collect();
        let squares = on_all_cores(&items, |n| Ok(n * n)).unwrap();
        assert!(squares.into_iter().eq(items.iter().map(|n| n * n)));
    }

    #[test]
    fn the_first_failure_is_the_outcome() {
        let failed = on_all_cores(&[1, 2, 3], |n| {
            anyhow::ensure!(*n != 2, "two is bad");
            Ok(*n)
        });
        assert_eq!(failed.unwrap_err().to_string(), "two is bad");
    }
}
