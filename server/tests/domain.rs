//! The business rule, without any transport.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{collections::HashSet, thread};

use bookstore_server::domain::{
    Bookstore, DomainError, ErrorClass, InMemoryBookstore, Limits, Line, Order, Reservation,
    StockLevel, Timestamp,
};

const FIRST: &str = "9780000000001";
const SECOND: &str = "9780000000002";

fn line(isbn: &str, quantity: i32) -> Line<'_> {
    Line { isbn, quantity }
}

fn reserve(store: &InMemoryBookstore, lines: &[Line<'_>]) -> Result<Reservation, DomainError> {
    store.reserve(&Order {
        order_id: "ord-1",
        lines,
    })
}

fn finite(copies: u32) -> InMemoryBookstore {
    InMemoryBookstore::new(StockLevel::Finite(copies), Limits::default())
}

fn left(store: &InMemoryBookstore, id: i32) -> i32 {
    store.stock(id).unwrap().available
}

#[test]
fn a_reservation_hands_the_order_id_back_and_lapses_in_15_minutes() {
    let before = jiff::Timestamp::now().as_second();
    let reservation = reserve(&InMemoryBookstore::default(), &[line(FIRST, 1)]).unwrap();
    let after = jiff::Timestamp::now().as_second();
    assert_eq!(reservation.order_id, "ord-1");
    assert!((before + 900..=after + 900).contains(&reservation.expires_at.seconds));
}

#[test]
fn ids_are_unique_across_threads_and_stores() {
    let stores = [InMemoryBookstore::default(), InMemoryBookstore::default()];
    let ids: Vec<_> = thread::scope(|scope| {
        let workers: Vec<_> = stores
            .iter()
            .chain(&stores)
            .map(|store| {
                scope.spawn(move || {
                    (0..5_000)
                        .map(|_| reserve(store, &[line(FIRST, 1)]).unwrap().reservation_id)
                        .collect::<Vec<_>>()
                })
            })
            .collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().unwrap())
            .collect()
    });
    assert_eq!(ids.len(), 20_000);
    assert!(
        ids.iter()
            .all(|id| id.get_variant() == uuid::Variant::RFC4122)
    );
    assert_eq!(ids.iter().collect::<HashSet<_>>().len(), ids.len());
}

#[test]
fn unlimited_stock_is_never_used_up() {
    let store = InMemoryBookstore::default();
    for _ in 0..3 {
        reserve(&store, &[line(FIRST, i32::MAX)]).unwrap();
    }
    assert_eq!(left(&store, 1), 42);
}

#[test]
fn finite_stock_goes_down_by_what_was_reserved() {
    let store = finite(5);
    reserve(&store, &[line(FIRST, 2), line(SECOND, 5)]).unwrap();
    assert_eq!(
        (left(&store, 1), left(&store, 2), left(&store, 3)),
        (3, 0, 5)
    );
}

#[test]
fn an_order_takes_all_its_lines_or_none() {
    let store = finite(5);
    let refused = reserve(&store, &[line(FIRST, 2), line(SECOND, 6)]);
    assert_eq!(
        refused.unwrap_err(),
        DomainError::OutOfStock {
            isbn: SECOND.to_owned(),
            requested: 6,
            available: 5
        }
    );
    let unknown = reserve(&store, &[line(FIRST, 2), line("9999999999999", 1)]);
    assert!(matches!(
        unknown.unwrap_err(),
        DomainError::UnknownIsbn { line: 2, .. }
    ));
    let invalid = reserve(&store, &[line(FIRST, 2), line(SECOND, 0)]);
    assert!(matches!(
        invalid.unwrap_err(),
        DomainError::InvalidQuantity { line: 2, .. }
    ));
    assert_eq!((left(&store, 1), left(&store, 2)), (5, 5));
}

#[test]
fn lines_of_one_book_count_together() {
    let store = finite(5);
    let refused = reserve(&store, &[line(FIRST, 3), line(FIRST, 3)]);
    assert!(matches!(
        refused.unwrap_err(),
        DomainError::OutOfStock { requested: 6, .. }
    ));
    reserve(&store, &[line(FIRST, 3), line(FIRST, 2)]).unwrap();
    assert_eq!(left(&store, 1), 0);
}

#[test]
fn quantities_do_not_overflow() {
    let lines = vec![line(FIRST, i32::MAX); 5_000];
    let refused = reserve(&finite(5), &lines).unwrap_err();
    let requested = i64::from(i32::MAX) * 5_000;
    assert!(matches!(refused, DomainError::OutOfStock { requested: sum, .. } if sum == requested));
}

#[test]
fn concurrent_orders_never_oversell() {
    let store = finite(1_000);
    let sold: usize = thread::scope(|scope| {
        let workers: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    (0..500)
                        .filter(|_| reserve(&store, &[line(FIRST, 1), line(SECOND, 1)]).is_ok())
                        .count()
                })
            })
            .collect();
        workers
            .into_iter()
            .map(|worker| worker.join().unwrap())
            .sum()
    });
    assert_eq!(sold, 1_000);
    assert_eq!((left(&store, 1), left(&store, 2)), (0, 0));
}

#[test]
fn malformed_orders_are_invalid() {
    let store = InMemoryBookstore::new(StockLevel::Unlimited, Limits { max_lines: 2 });
    let nameless = store.reserve(&Order {
        order_id: "",
        lines: &[line(FIRST, 1)],
    });
    for refused in [
        nameless,
        reserve(&store, &[]),
        reserve(&store, &[line(FIRST, 1); 3]),
        reserve(&store, &[line(FIRST, -1)]),
    ] {
        assert_eq!(refused.unwrap_err().class(), ErrorClass::Invalid);
    }
}

#[test]
fn the_catalogue_is_whole_and_consistent() {
    let store = InMemoryBookstore::default();
    let mut isbns = HashSet::new();
    let mut reviews = 0;
    for id in 1..=50 {
        let detail = store.book_detail(id, i32::MAX).unwrap();
        assert_eq!(detail.book.id, id);
        assert_eq!(detail.author.id, detail.book.author_id);
        assert!(detail.book.isbn.len() == 13 && isbns.insert(detail.book.isbn.clone()));
        for review in detail.reviews.iter() {
            reviews += 1;
            assert_eq!((review.id, review.book_id), (reviews, id));
            assert!((1..=5).contains(&review.rating));
        }
        assert!(detail.reviews.is_sorted_by_key(|review| review.created_at));
    }
    assert_eq!(reviews, 200);
}

#[test]
fn ids_outside_the_catalogue_are_not_found() {
    let store = InMemoryBookstore::default();
    for id in [i32::MIN, -1, 0, 51, i32::MAX] {
        let unknown = DomainError::UnknownBook { id, last: 50 };
        assert_eq!(store.book(id).unwrap_err(), unknown);
        assert_eq!(store.stock(id).unwrap_err(), unknown);
        assert_eq!(store.reviews(id, None).unwrap_err(), unknown);
        assert_eq!(store.book_detail(id, 2).unwrap_err(), unknown);
        assert_eq!(unknown.class(), ErrorClass::NotFound);
    }
    let unknown = store.author(11).unwrap_err();
    assert_eq!(unknown, DomainError::UnknownAuthor { id: 11, last: 10 });
}

#[test]
fn moments_are_written_as_rfc_3339() {
    for (seconds, text) in [
        (0, "1970-01-01T00:00:00Z"),
        (1_767_225_600, "2026-01-01T00:00:00Z"),
        (1_709_210_096, "2024-02-29T12:34:56Z"),
    ] {
        assert_eq!(Timestamp { seconds }.to_string(), text);
    }
}
