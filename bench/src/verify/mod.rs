//! Proof that every style gives the same answers, before anything is measured: a style that fails
//! fast, or answers less, would win every comparison.

pub(crate) mod events;
mod frame;
mod household;
mod order;
mod peer;
mod screen;

use std::{fmt::Debug, net::SocketAddr};

pub use peer::VerifyError;
pub(crate) use peer::{Peer, Reply, Transport};

use crate::record::EqualAnswers;

/// Books whose screens are compared: the measured ones, one more, the last one, and two that do not
/// exist.
const BOOKS: [i32; 12] = [1, 2, 3, 4, 5, 6, 7, 8, 23, 50, 0, 51];

/// One answer in the words that all styles share, with the style that gave it.
struct Answer<T> {
    style: &'static str,
    content: T,
}

/// Asks the server at these addresses the same things in every style and compares the answers.
///
/// # Errors
/// The server does not answer, or answers something that cannot be read as its style's convention.
pub fn verify(http1: SocketAddr, h2c: SocketAddr) -> Result<EqualAnswers, VerifyError> {
    runtime()?.block_on(compare_all(Peer { http1, h2c }))
}

/// As [`verify`], in a runtime that is there.
pub(crate) async fn compare_all(peer: Peer) -> Result<EqualAnswers, VerifyError> {
    let mut outcome = EqualAnswers::default();
    for book in BOOKS {
        compare(
            &mut outcome,
            &format!("screen of book {book}"),
            &screen::ask(peer, book).await?,
        );
    }
    compare(
        &mut outcome,
        "a stream of 1,000 events",
        &events::ask(peer).await?,
    );
    for question in order::questions() {
        compare(
            &mut outcome,
            question.name,
            &order::ask(peer, &question).await?,
        );
    }
    Ok(outcome)
}

/// The same of users and expenses, for a server that has some and asks nobody for a token.
///
/// # Errors
/// As [`verify`].
pub fn verify_household(http1: SocketAddr, h2c: SocketAddr) -> Result<EqualAnswers, VerifyError> {
    runtime()?.block_on(async {
        let peer = Peer { http1, h2c };
        let mut outcome = EqualAnswers::default();
        for question in &household::QUESTIONS {
            let answers = household::ask(peer, question).await?;
            compare(&mut outcome, question.name, &answers);
        }
        compare(&mut outcome, "prices", &household::ask_prices(peer).await?);
        compare(&mut outcome, "users", &household::ask_users(peer).await?);
        Ok(outcome)
    })
}

fn runtime() -> Result<tokio::runtime::Runtime, VerifyError> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(VerifyError::Runtime)
}

/// Counts the answers and words every difference from the first one.
fn compare<T: PartialEq + Debug>(
    outcome: &mut EqualAnswers,
    question: &str,
    answers: &[Answer<T>],
) {
    let Some((first, others)) = answers.split_first() else {
        return;
    };
    outcome.compared += u32::try_from(answers.len()).unwrap_or(u32::MAX);
    for other in others {
        if other.content != first.content {
            outcome.differences.push(format!(
                "{question}: {} says {:?}, {} says {:?}",
                first.style, first.content, other.style, other.content
            ));
        }
    }
}
