//! The business of the Bookstore: what the four styles all ask for, and nothing about how they ask.
//!
//! [`Bookstore`] is the one seam between rule and transport. Adapters translate a request into a
//! call of this trait, and its answer or [`DomainError`] back into their own convention.

mod backend;
mod catalog;
mod error;
mod events;
mod greeting;
mod inventory;
mod model;
mod store;
mod timestamp;

pub use backend::reach;
pub use catalog::Catalog;
pub use error::{DomainError, ErrorClass};
pub use events::{EventFeed, EventKind, Events, StockEvent, USUAL_EVENTS};
pub use greeting::greeting_for;
pub use inventory::{Inventory, Limits, StockLevel};
pub use model::{Author, Book, BookDetail, Line, Order, Reservation, Review, Stock};
pub use store::{BookId, Bookstore, InMemoryBookstore, SharedBookstore};
pub use timestamp::{Rfc3339, Timestamp};
