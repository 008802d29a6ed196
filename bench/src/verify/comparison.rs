//! The same questions in every style, and whether the answers are equal.

use std::{collections::BTreeMap, fmt::Debug, net::SocketAddr};

use super::{
    events, household, landing, order,
    peer::{Peer, VerifyError},
    screen, work,
};
use crate::{catalogue::Style, record::EqualAnswers};

/// Books whose screens are compared: the measured ones, one more, the last one, and two that do not
/// exist.
const BOOKS: [i32; 12] = [1, 2, 3, 4, 5, 6, 7, 8, 23, 50, 0, 51];

/// One answer in the words that all styles share, with the style that gave it.
pub(super) struct Answer<T> {
    /// The style's name, and then what is special.
    pub(super) style: &'static str,
    pub(super) content: T,
}

/// What came of the comparisons.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// All of them together.
    pub answers: EqualAnswers,
    /// How many answers of each style were compared, by scenario.
    by_scenario: BTreeMap<(&'static str, Style), u32>,
}

impl Verified {
    /// Adds those of another server.
    pub fn add(&mut self, other: Self) {
        self.answers.add(other.answers);
        for (key, count) in other.by_scenario {
            *self.by_scenario.entry(key).or_default() += count;
        }
    }

    /// How many answers of this style were compared in this scenario, or in that whose questions it asks.
    #[must_use]
    pub fn compared(&self, scenario: &str, style: Style) -> u32 {
        let asked = match scenario {
            "b.calls" | "q.beside" => "b",
            "e.single" => "e.A",
            "e.pool" => "e.B",
            own => own,
        };
        let counts = self.by_scenario.iter();
        counts
            .filter(|((scenario, its), _)| *scenario == asked && *its == style)
            .map(|(_, count)| count)
            .sum()
    }

    /// Counts the answers and words every difference from the first one.
    fn compare<T: PartialEq + Debug>(
        &mut self,
        scenario: &'static str,
        question: &str,
        answers: &[Answer<T>],
    ) {
        for answer in answers {
            let count = self.by_scenario.entry((scenario, style_of(answer.style)));
            *count.or_default() += 1;
        }
        let Some((first, others)) = answers.split_first() else {
            return;
        };
        self.answers.compared += u32::try_from(answers.len()).unwrap_or(u32::MAX);
        for other in others {
            if other.content != first.content {
                self.answers.differences.push(format!(
                    "{question}: {} says {:?}, {} says {:?}",
                    first.style, first.content, other.style, other.content
                ));
            }
        }
    }
}

/// The style that a name begins with.
fn style_of(name: &str) -> Style {
    if name.starts_with("gRPC-Web") {
        Style::GrpcWeb
    } else if name.starts_with("gRPC") {
        Style::Grpc
    } else if name.starts_with("GraphQL") {
        Style::GraphQl
    } else {
        Style::Rest
    }
}

/// Asks the server at these addresses the same things in every style and compares the answers.
///
/// # Errors
/// The server does not answer, or answers something that cannot be read as its style's convention.
pub fn verify(http1: SocketAddr, h2c: SocketAddr) -> Result<Verified, VerifyError> {
    runtime()?.block_on(compare_all(Peer { http1, h2c }))
}

/// As [`verify`], in a runtime that is there.
pub(crate) async fn compare_all(peer: Peer) -> Result<Verified, VerifyError> {
    let mut outcome = Verified::default();
    for book in BOOKS {
        let question = format!("screen of book {book}");
        outcome.compare("b", &question, &screen::ask(peer, book).await?);
    }
    let events = events::ask(peer).await?;
    outcome.compare("s.stream", "a stream of 1,000 events", &events);
    for question in order::questions() {
        let answers = order::ask(peer, &question).await?;
        outcome.compare("a", question.name, &answers);
    }
    let greeting = landing::ask_greeting(peer).await?;
    outcome.compare("g.hello", "a greeting", &greeting);
    let version = landing::ask_version(peer).await?;
    outcome.compare("m.small", "the version", &version);
    let list = landing::ask_list(peer).await?;
    outcome.compare("m.get", "1,000 landings", &list);
    let upload = landing::ask_upload(peer).await?;
    outcome.compare("m.post", "an upload of 1,000 landings", &upload);
    let streams = landing::ask_streams(peer).await?;
    outcome.compare("m.stream", "a stream of 1,000 landings", &streams);
    Ok(outcome)
}

/// The same of users and expenses, for a server that has some and asks nobody for a token.
///
/// # Errors
/// As [`verify`].
pub fn verify_household(http1: SocketAddr, h2c: SocketAddr) -> Result<Verified, VerifyError> {
    runtime()?.block_on(async {
        let peer = Peer { http1, h2c };
        let mut outcome = Verified::default();
        for question in &household::QUESTIONS {
            let answers = household::ask(peer, question).await?;
            outcome.compare("e.A", question.name, &answers);
        }
        let prices = household::ask_prices(peer).await?;
        outcome.compare("e.B", "prices", &prices);
        outcome.compare("e.A", "users", &household::ask_users(peer).await?);
        Ok(outcome)
    })
}

/// The same of work, for a server that relays it.
///
/// # Errors
/// As [`verify`].
pub fn verify_work(http1: SocketAddr, h2c: SocketAddr) -> Result<Verified, VerifyError> {
    runtime()?.block_on(async {
        let peer = Peer { http1, h2c };
        let mut outcome = Verified::default();
        for duration_ms in work::DURATIONS_MS {
            let question = format!("{duration_ms} ms of work");
            let answers = work::ask(peer, duration_ms).await?;
            outcome.compare("d.deadline", &question, &answers);
        }
        Ok(outcome)
    })
}

fn runtime() -> Result<tokio::runtime::Runtime, VerifyError> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(VerifyError::Runtime)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(contents: &[(&'static str, i32)]) -> Vec<Answer<i32>> {
        let answer = |&(style, content)| Answer { style, content };
        contents.iter().map(answer).collect()
    }

    #[test]
    fn a_difference_names_both_and_answers_are_counted_by_style() {
        let mut outcome = Verified::default();
        let all = answers(&[
            ("REST", 1),
            ("REST BFF", 1),
            ("gRPC", 2),
            ("gRPC-Web text", 1),
        ]);
        outcome.compare("b", "a question", &all);
        outcome.compare("a", "another", &answers(&[("GraphQL by hash", 1)]));
        assert_eq!(
            outcome.answers.differences,
            ["a question: REST says 1, gRPC says 2"]
        );
        assert_eq!(outcome.answers.compared, 5);
        let counts = [Style::Rest, Style::Grpc, Style::GrpcWeb, Style::GraphQl]
            .map(|style| outcome.compared("b.calls", style));
        assert_eq!(counts, [2, 1, 1, 0]);
        assert_eq!(outcome.compared("a", Style::GraphQl), 1);
    }
}
