//! What the protobuf answers of gRPC and gRPC-Web must have.

use bookstore_proto::v1::{
    Author, Book, BookDetail, GetBookDetailRequest, ReserveStockResponse, Reviews, Stock,
};

use super::{
    reservation::check_ids,
    screen::{BOOK_ID, REVIEWS, check_reviews},
};
use crate::load::failure::Fault;

/// Path of `InventoryService.ReserveStock`.
pub(in crate::load) const RESERVE_STOCK: &str = "/bookstore.bench.v1.InventoryService/ReserveStock";
/// Path of `CatalogService.GetBookDetail`.
pub(in crate::load) const GET_BOOK_DETAIL: &str =
    "/bookstore.bench.v1.CatalogService/GetBookDetail";

/// Path of `ResourceService.GetBook`.
pub(in crate::load) const GET_BOOK: &str = "/bookstore.bench.v1.ResourceService/GetBook";
/// Path of `ResourceService.GetStock`.
pub(in crate::load) const GET_STOCK: &str = "/bookstore.bench.v1.ResourceService/GetStock";
/// Path of `ResourceService.GetReviews`.
pub(in crate::load) const GET_REVIEWS: &str = "/bookstore.bench.v1.ResourceService/GetReviews";
/// Path of `ResourceService.GetAuthor`.
pub(in crate::load) const GET_AUTHOR: &str = "/bookstore.bench.v1.ResourceService/GetAuthor";

/// Asks for the whole screen.
pub(in crate::load) fn book_detail_request() -> GetBookDetailRequest {
    book_detail_request_of(BOOK_ID)
}

/// The same of another book.
pub(in crate::load) fn book_detail_request_of(book_id: i32) -> GetBookDetailRequest {
    GetBookDetailRequest {
        book_id,
        review_count: REVIEWS,
    }
}

/// A reservation for our order.
pub(in crate::load) fn check_reservation(answer: &ReserveStockResponse) -> Result<(), Fault> {
    check_ids(&answer.reservation_id, &answer.order_id)?;
    let seconds = answer.expires_at.as_ref().map_or(0, |at| at.seconds);
    Fault::unless_equal("the presence of expires_at", seconds > 0, true)
}

/// The whole screen.
pub(in crate::load) fn check_book_detail(answer: &BookDetail) -> Result<(), Fault> {
    check_book_detail_of(answer, BOOK_ID).map(drop)
}

/// The same of another book; gives the id in it.
pub(in crate::load) fn check_book_detail_of(answer: &BookDetail, book: i32) -> Result<i32, Fault> {
    Fault::unless_equal("the book's id", answer.id, book)?;
    Fault::if_empty("the title", &answer.title)?;
    Fault::if_empty("the author's name", &answer.author_name)?;
    let reviews = answer.reviews.iter();
    check_reviews(reviews.map(|review| (review.reviewer.as_str(), review.text.as_str())))?;
    Ok(answer.id)
}

/// The book that is shown.
pub(in crate::load) fn check_book(answer: &Book) -> Result<(), Fault> {
    Fault::unless_equal("the book's id", answer.id, BOOK_ID)?;
    Fault::if_empty("the title", &answer.title)
}

/// Its stock.
pub(in crate::load) fn check_stock(answer: Stock) -> Result<(), Fault> {
    Fault::unless_equal("the stock's book", answer.book_id, BOOK_ID)
}

/// Its newest reviews.
pub(in crate::load) fn check_reviews_of_book(answer: &Reviews) -> Result<(), Fault> {
    let reviews = answer.reviews.iter();
    check_reviews(reviews.map(|review| (review.reviewer.as_str(), review.text.as_str())))
}

/// Its author.
pub(in crate::load) fn check_author(answer: &Author, id: i32) -> Result<(), Fault> {
    Fault::unless_equal("the author's id", answer.id, id)?;
    Fault::if_empty("the author's name", &answer.name)
}
