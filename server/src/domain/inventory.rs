//! The stock and the one rule that changes it.

use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{SystemTime, UNIX_EPOCH},
};

use uuid::Uuid;

use super::{Catalog, DomainError, Order, Reservation, Timestamp};

/// Copies shown for every book, and the finite stock's starting level unless told otherwise.
const SHOWN_STOCK: i32 = 42;
/// How long a reservation is held.
const HOLD_S: i64 = 15 * 60;

/// How much stock there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StockLevel {
    /// Reservations never use anything up: a 30-second run makes millions of them.
    Unlimited,
    /// Every book starts with this many copies.
    Finite(u32),
}

/// What an order may ask for at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Lines in one order.
    pub max_lines: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_lines: 5_000 }
    }
}

/// The stock of every book, and the ids of reservations.
#[derive(Debug)]
pub struct Inventory {
    limits: Limits,
    /// Copies left by position in the catalogue; `None` when unlimited.
    left: Option<Mutex<Vec<i64>>>,
    ids: ReservationIds,
}

impl Inventory {
    /// An inventory for `catalog`.
    #[must_use]
    pub fn new(catalog: &Catalog, level: StockLevel, limits: Limits) -> Self {
        let left = match level {
            StockLevel::Unlimited => None,
            StockLevel::Finite(copies) => {
                Some(Mutex::new(vec![i64::from(copies); catalog.books().len()]))
            }
        };
        Self {
            limits,
            left,
            ids: ReservationIds::new(),
        }
    }

    /// Copies of the book at position `index` of the catalogue.
    #[must_use]
    pub fn available(&self, index: usize) -> i32 {
        match &self.left {
            None => SHOWN_STOCK,
            Some(left) => {
                let left = left.lock().unwrap_or_else(PoisonError::into_inner);
                i32::try_from(left[index]).unwrap_or(i32::MAX)
            }
        }
    }

    /// Reserves every line or none.
    ///
    /// # Errors
    /// Any [`DomainError`] about an order; nothing is reserved then.
    pub fn reserve(
        &self,
        catalog: &Catalog,
        order: &Order<'_>,
    ) -> Result<Reservation, DomainError> {
        if order.order_id.is_empty() {
            return Err(DomainError::EmptyOrderId);
        }
        if order.lines.is_empty() {
            return Err(DomainError::EmptyOrder);
        }
        if order.lines.len() > self.limits.max_lines {
            return Err(DomainError::TooManyLines {
                lines: order.lines.len(),
                limit: self.limits.max_lines,
            });
        }
        match &self.left {
            None => {
                for_each_line(catalog, order, |_, _| {})?;
            }
            Some(left) => take(catalog, order, left)?,
        }
        Ok(Reservation {
            reservation_id: self.ids.next(),
            order_id: order.order_id.to_owned(),
            expires_at: Timestamp {
                seconds: now_s() + HOLD_S,
            },
        })
    }
}

/// Checks every line and hands its book's position and quantity to `visit`.
fn for_each_line(
    catalog: &Catalog,
    order: &Order<'_>,
    mut visit: impl FnMut(usize, i64),
) -> Result<(), DomainError> {
    for (nth, line) in order.lines.iter().enumerate() {
        if line.quantity < 1 {
            return Err(DomainError::InvalidQuantity {
                line: nth + 1,
                isbn: line.isbn.to_owned(),
                quantity: line.quantity,
            });
        }
        let index = catalog
            .index_of_isbn(line.isbn)
            .ok_or_else(|| DomainError::UnknownIsbn {
                line: nth + 1,
                isbn: line.isbn.to_owned(),
            })?;
        visit(index, i64::from(line.quantity));
    }
    Ok(())
}

/// Takes the whole order from a finite stock, or nothing of it.
fn take(catalog: &Catalog, order: &Order<'_>, left: &Mutex<Vec<i64>>) -> Result<(), DomainError> {
    let mut wanted = vec![0_i64; catalog.books().len()];
    for_each_line(catalog, order, |index, copies| wanted[index] += copies)?;
    let mut left = left.lock().unwrap_or_else(PoisonError::into_inner);
    for (index, (&want, &have)) in wanted.iter().zip(left.iter()).enumerate() {
        if want > have {
            return Err(DomainError::OutOfStock {
                isbn: catalog.books()[index].isbn.clone(),
                requested: want,
                available: have,
            });
        }
    }
    for (have, want) in left.iter_mut().zip(wanted) {
        *have -= want;
    }
    Ok(())
}

/// Unique ids without a system call per reservation: the process's random half, and a counter half
/// spread by an odd multiplier so that ids of one process look unlike each other.
#[derive(Debug)]
struct ReservationIds {
    process: u64,
    next: AtomicU64,
}

impl ReservationIds {
    fn new() -> Self {
        Self {
            process: Uuid::new_v4().as_u64_pair().0,
            next: AtomicU64::new(0),
        }
    }

    /// The variant takes the two highest bits of the low half, so the counter has 62 bits; an odd
    /// multiplier is a bijection on them, hence no repeat before 2^62 reservations.
    fn next(&self) -> Uuid {
        const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;
        let nth = self.next.fetch_add(1, Ordering::Relaxed);
        let low = nth.wrapping_mul(SPREAD) & (u64::MAX >> 2);
        Uuid::from_u64_pair(self.process, low | (1 << 63))
    }
}

fn now_s() -> i64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |elapsed| {
            i64::try_from(elapsed.as_secs()).unwrap_or(i64::MAX)
        })
}
