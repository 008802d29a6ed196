//! The trait that every adapter calls, and the store behind it.

use std::{borrow::Cow, sync::Arc, time::Duration};

use super::{
    Author, Book, BookDetail, Catalog, DomainError, EventFeed, Inventory, Limits, Order,
    Reservation, Review, Stock, StockLevel,
};

/// A [`Book::id`].
pub type BookId = i32;

/// The store as adapters hold it.
pub type SharedBookstore = Arc<dyn Bookstore>;

/// The business rule behind every style. Answers are borrowed where the store owns them, so that
/// each adapter pays for its own encoding and for nothing else; a store that has to make its
/// answers (one that calls out, say) returns owned ones.
pub trait Bookstore: Send + Sync + 'static {
    /// How long a backend behind this store takes for one operation, of which the caller waits by
    /// [`reach`](super::reach); the store's own functions do not. None by default.
    fn backend_delay(&self) -> Option<Duration> {
        None
    }

    /// Reserves every line of `order` or none.
    ///
    /// # Errors
    /// A malformed order or one that the stock forbids.
    fn reserve(&self, order: &Order<'_>) -> Result<Reservation, DomainError>;

    /// One book.
    ///
    /// # Errors
    /// [`DomainError::UnknownBook`].
    fn book(&self, id: BookId) -> Result<Cow<'_, Book>, DomainError>;

    /// One author.
    ///
    /// # Errors
    /// [`DomainError::UnknownAuthor`].
    fn author(&self, id: i32) -> Result<Cow<'_, Author>, DomainError>;

    /// The stock of a book.
    ///
    /// # Errors
    /// [`DomainError::UnknownBook`].
    fn stock(&self, id: BookId) -> Result<Stock, DomainError>;

    /// The newest `limit` reviews of a book, the oldest of them first; all when `None`.
    ///
    /// # Errors
    /// [`DomainError::UnknownBook`], [`DomainError::InvalidReviewLimit`].
    fn reviews(&self, id: BookId, limit: Option<i32>) -> Result<Cow<'_, [Review]>, DomainError>;

    /// What happens to the stock, and who watches it; one of its own, unless the store has one.
    fn events(&self) -> EventFeed {
        EventFeed::default()
    }

    /// Everything that the book-detail screen shows, with the newest `review_count` reviews.
    ///
    /// # Errors
    /// [`DomainError::UnknownBook`], [`DomainError::InvalidReviewLimit`].
    fn book_detail(&self, id: BookId, review_count: i32) -> Result<BookDetail<'_>, DomainError> {
        let book = self.book(id)?;
        Ok(BookDetail {
            author: self.author(book.author_id)?,
            stock: self.stock(id)?,
            reviews: self.reviews(id, Some(review_count))?,
            book,
        })
    }
}

/// The default store: the fixed catalogue and an inventory, all in memory.
#[derive(Debug)]
pub struct InMemoryBookstore {
    catalog: Catalog,
    inventory: Inventory,
    events: EventFeed,
    backend_delay: Option<Duration>,
}

impl InMemoryBookstore {
    /// A store with this stock and these limits.
    #[must_use]
    pub fn new(level: StockLevel, limits: Limits) -> Self {
        let catalog = Catalog::new();
        let inventory = Inventory::new(&catalog, level, limits);
        Self {
            catalog,
            inventory,
            events: EventFeed::default(),
            backend_delay: None,
        }
    }

    /// The same store behind a backend that takes this long for one operation; none when `None`.
    #[must_use]
    pub fn with_backend_delay(self, backend_delay: Option<Duration>) -> Self {
        Self {
            backend_delay,
            ..self
        }
    }

    fn index_of(&self, id: BookId) -> Result<usize, DomainError> {
        position(id, self.catalog.books().len()).ok_or_else(|| DomainError::UnknownBook {
            id,
            last: last_id(self.catalog.books().len()),
        })
    }
}

impl Default for InMemoryBookstore {
    /// Unlimited stock, default limits.
    fn default() -> Self {
        Self::new(StockLevel::Unlimited, Limits::default())
    }
}

impl Bookstore for InMemoryBookstore {
    fn backend_delay(&self) -> Option<Duration> {
        self.backend_delay
    }

    fn events(&self) -> EventFeed {
        self.events.clone()
    }

    fn reserve(&self, order: &Order<'_>) -> Result<Reservation, DomainError> {
        self.inventory.reserve(&self.catalog, order)
    }

    fn book(&self, id: BookId) -> Result<Cow<'_, Book>, DomainError> {
        Ok(Cow::Borrowed(&self.catalog.books()[self.index_of(id)?]))
    }

    fn author(&self, id: i32) -> Result<Cow<'_, Author>, DomainError> {
        let authors = self.catalog.authors();
        position(id, authors.len())
            .map(|index| Cow::Borrowed(&authors[index]))
            .ok_or_else(|| DomainError::UnknownAuthor {
                id,
                last: last_id(authors.len()),
            })
    }

    fn stock(&self, id: BookId) -> Result<Stock, DomainError> {
        Ok(Stock {
            book_id: id,
            available: self.inventory.available(self.index_of(id)?),
        })
    }

    fn reviews(&self, id: BookId, limit: Option<i32>) -> Result<Cow<'_, [Review]>, DomainError> {
        let all = self.catalog.reviews_of(self.index_of(id)?);
        let kept = match limit {
            None => all.len(),
            Some(limit) => usize::try_from(limit)
                .map_err(|_| DomainError::InvalidReviewLimit { limit })?
                .min(all.len()),
        };
        Ok(Cow::Borrowed(&all[all.len() - kept..]))
    }
}

/// Ids count from 1.
fn position(id: i32, len: usize) -> Option<usize> {
    let index = usize::try_from(id).ok()?.checked_sub(1)?;
    (index < len).then_some(index)
}

fn last_id(len: usize) -> i32 {
    i32::try_from(len).unwrap_or(i32::MAX)
}
