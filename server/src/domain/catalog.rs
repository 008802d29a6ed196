//! 50 books, 10 authors and 200 reviews, the same in every process.
//!
//! Book 1 with its author, stock and newest reviews is the golden record: its fields are chosen so
//! that every style's answer has exactly the body size that the article published (93, 66, 27, 224
//! and 257 bytes) or that follows from it (114 and 237 bytes). `tests/wire.rs` pins them.

#![expect(
    clippy::cast_sign_loss,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "every id is between 1 and 200"
)]

use hashbrown::HashMap;

use super::{Author, Book, Review, Timestamp};

const BOOKS: i32 = 50;
const AUTHORS: i32 = 10;
const REVIEWS_PER_BOOK: i32 = 4;
/// 2026-01-01T00:00:00Z; the reviews of a book are dated day by day from 2026-01-03 on.
const NEW_YEAR_2026: i64 = 1_767_225_600;
const DAY_S: i64 = 86_400;

const SUBJECTS: [&str; 10] = [
    "API Measurement",
    "Service Design",
    "Data Modelling",
    "Queueing Theory",
    "Load Testing",
    "Schema Evolution",
    "Capacity Planning",
    "Message Formats",
    "Cache Design",
    "Fault Injection",
];
const KINDS: [&str; 5] = ["Practical", "Everyday", "Advanced", "Measured", "Complete"];
const NAMES: [&str; AUTHORS as usize] = [
    "Anna-Liisa Virtanen",
    "Bruno Okafor",
    "Chiara Lindqvist",
    "Dmitri Alvarez",
    "Esra Johansen",
    "Farid Novak",
    "Greta Nakamura",
    "Hugo Petrenko",
    "Ines Moreau",
    "Jonas Adeyemi",
];
const REVIEWERS: [&str; 8] = [
    "Ada", "Boris", "Deniz", "Mika", "Noor", "Pavel", "Rosa", "Sami",
];
const OPINIONS: [&str; 5] = [
    "Not for beginners.",
    "A fair start.",
    "Worth reading twice.",
    "Useful numbers.!",
    "Clear and to point",
];

/// The read-only part of the store.
#[derive(Debug)]
pub struct Catalog {
    books: Vec<Book>,
    authors: Vec<Author>,
    /// Grouped by book, oldest first.
    reviews: Vec<Review>,
    by_isbn: HashMap<String, usize>,
}

impl Catalog {
    /// Builds the catalogue; always the same.
    #[must_use]
    pub fn new() -> Self {
        let books: Vec<Book> = (1..=BOOKS).map(book).collect();
        let by_isbn = books
            .iter()
            .enumerate()
            .map(|(index, book)| (book.isbn.clone(), index))
            .collect();
        Self {
            books,
            authors: (1..=AUTHORS).map(author).collect(),
            reviews: (1..=BOOKS * REVIEWS_PER_BOOK).map(review).collect(),
            by_isbn,
        }
    }

    /// All books, by id.
    #[must_use]
    pub fn books(&self) -> &[Book] {
        &self.books
    }

    /// All authors, by id.
    #[must_use]
    pub fn authors(&self) -> &[Author] {
        &self.authors
    }

    /// Position in [`Catalog::books`] of the book with this ISBN.
    #[must_use]
    pub fn index_of_isbn(&self, isbn: &str) -> Option<usize> {
        self.by_isbn.get(isbn).copied()
    }

    /// All reviews of the book at `index` of [`Catalog::books`], oldest first.
    #[must_use]
    pub fn reviews_of(&self, index: usize) -> &[Review] {
        let per_book = REVIEWS_PER_BOOK as usize;
        &self.reviews[index * per_book..(index + 1) * per_book]
    }
}

impl Default for Catalog {
    fn default() -> Self {
        Self::new()
    }
}

fn book(id: i32) -> Book {
    let nth = (id - 1) as usize;
    Book {
        id,
        title: format!(
            "{} {}",
            KINDS[nth / SUBJECTS.len()],
            SUBJECTS[nth % SUBJECTS.len()]
        ),
        isbn: format!("97800000{id:05}"),
        price_cents: if id == 1 { 4990 } else { 1990 + id * 25 },
        author_id: 1 + (id - 1) % AUTHORS,
    }
}

fn author(id: i32) -> Author {
    let subject = SUBJECTS[(id - 1) as usize];
    Author {
        id,
        name: NAMES[(id - 1) as usize].to_owned(),
        bio: if id == 1 {
            "Writes about APIs..!".to_owned()
        } else {
            format!("Writes about {subject}.")
        },
    }
}

fn review(id: i32) -> Review {
    let book_id = 1 + (id - 1) / REVIEWS_PER_BOOK;
    let place = (id - 1) % REVIEWS_PER_BOOK;
    let mixed = (book_id * 7 + place * 3) as usize;
    let (reviewer, rating) = match id {
        3 => ("Deniz", 5),
        4 => ("Mika", 4),
        _ => (
            REVIEWERS[mixed % REVIEWERS.len()],
            1 + (mixed % OPINIONS.len()) as i32,
        ),
    };
    Review {
        id,
        book_id,
        reviewer: reviewer.to_owned(),
        rating,
        text: OPINIONS[(rating - 1) as usize].to_owned(),
        created_at: Timestamp {
            seconds: NEW_YEAR_2026 + i64::from(place + 2) * DAY_S,
        },
    }
}
