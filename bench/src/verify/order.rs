//! The stock reservation in every style: the answer, and every refusal.

use bookstore_proto::v1;
use http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{
    Answer,
    peer::{Peer, Transport, VerifyError, unreadable},
};

/// The GraphQL document that the load sends too.
const DOCUMENT: &str = include_str!("../../../k6/lib/documents/reserve-stock.graphql");

/// The orders that are measured, by their number of lines.
const SIZES: [(&str, i32); 9] = [
    ("an order of 1 line", 1),
    ("an order of 2 lines", 2),
    ("an order of 5 lines", 5),
    ("an order of 10 lines", 10),
    ("an order of 25 lines", 25),
    ("an order of 50 lines", 50),
    ("an order of 100 lines", 100),
    ("an order of 500 lines", 500),
    ("an order of 5,000 lines", 5_000),
];

/// An order to place, well formed or not.
pub(super) struct Question {
    pub(super) name: &'static str,
    order_id: &'static str,
    lines: Vec<(String, i32)>,
}

/// What became of an order, in the words that all styles share.
#[derive(Debug, PartialEq)]
pub(super) enum Outcome {
    /// Reserved for this order, under an id of this many characters, until a time of whole seconds.
    Reserved {
        order_id: String,
        id_characters: usize,
    },
    /// Malformed: 422, `INVALID_ARGUMENT`.
    Invalid,
    /// Cannot be reserved: 409, `FAILED_PRECONDITION`.
    Conflict,
}

/// The orders to place.
pub(super) fn questions() -> Vec<Question> {
    let line = |nth: i32, quantity| (format!("97800000{nth:05}"), quantity);
    let order = |name, lines| Question {
        name,
        order_id: "ord-1",
        lines,
    };
    let of_size = |(name, lines): (_, i32)| {
        let lines = (0..lines).map(|nth| line(nth % 50 + 1, 1 + nth % 9));
        order(name, lines.collect())
    };
    let mut questions: Vec<Question> = SIZES.map(of_size).into();
    questions.extend([
        order("an order without lines", Vec::new()),
        order("a line for 0 copies", vec![line(1, 0)]),
        order("a line for -1 copies", vec![line(1, -1)]),
        order("an unknown ISBN", vec![line(1, 1), line(99_999, 1)]),
        order("an order of 5,001 lines", vec![line(1, 1); 5_001]),
        Question {
            name: "an empty order id",
            order_id: "",
            lines: vec![line(1, 1)],
        },
    ]);
    questions
}

/// Places the order in every style.
pub(super) async fn ask(
    peer: Peer,
    question: &Question,
) -> Result<Vec<Answer<Outcome>>, VerifyError> {
    let mut answers = vec![
        Answer {
            style: "REST",
            content: rest(peer, question).await?,
        },
        Answer {
            style: "GraphQL",
            content: graphql(peer, question).await?,
        },
    ];
    for transport in Transport::ALL {
        let content = rpc(peer, transport, question).await?;
        answers.push(Answer {
            style: transport.name(),
            content,
        });
    }
    Ok(answers)
}

fn order(question: &Question) -> Value {
    let lines: Vec<Value> = question
        .lines
        .iter()
        .map(|(isbn, quantity)| json!({ "isbn": isbn, "quantity": quantity }))
        .collect();
    json!({ "orderId": question.order_id, "lines": lines })
}

async fn rest(peer: Peer, question: &Question) -> Result<Outcome, VerifyError> {
    let path = "/api/reservations";
    let (status, answer) = peer.json(Method::POST, path, Some(order(question))).await?;
    match status {
        StatusCode::CREATED => reserved(path, &answer),
        StatusCode::UNPROCESSABLE_ENTITY => Ok(Outcome::Invalid),
        StatusCode::CONFLICT => Ok(Outcome::Conflict),
        other => Err(unreadable(path, &format!("{other} {answer}"))),
    }
}

async fn graphql(peer: Peer, question: &Question) -> Result<Outcome, VerifyError> {
    let request = json!({ "query": DOCUMENT, "variables": { "input": order(question) } });
    let (_, answer) = peer.json(Method::POST, "/graphql", Some(request)).await?;
    let code = answer["errors"][0]["extensions"]["code"].as_str();
    match code {
        None => reserved(
            "GraphQL reserveStock",
            &answer["data"]["reserveStock"]["reservation"],
        ),
        Some("UNKNOWN_ISBN" | "OUT_OF_STOCK") => Ok(Outcome::Conflict),
        Some("EMPTY_ORDER_ID" | "EMPTY_ORDER" | "TOO_MANY_LINES" | "INVALID_QUANTITY") => {
            Ok(Outcome::Invalid)
        }
        Some(_) => Err(unreadable("GraphQL reserveStock", &answer.to_string())),
    }
}

async fn rpc(
    peer: Peer,
    transport: Transport,
    question: &Question,
) -> Result<Outcome, VerifyError> {
    const INVALID_ARGUMENT: i32 = 3;
    const FAILED_PRECONDITION: i32 = 9;
    let request = v1::ReserveStockRequest {
        order_id: question.order_id.to_owned(),
        lines: question
            .lines
            .iter()
            .map(|(isbn, quantity)| v1::OrderLine {
                isbn: isbn.clone(),
                quantity: *quantity,
            })
            .collect(),
    };
    let method = "InventoryService/ReserveStock";
    let called = peer
        .call::<v1::ReserveStockResponse>(transport, method, &request)
        .await?;
    match (called.status, called.message) {
        (0, Some(reply)) if reply.expires_at.is_some_and(|at| at.nanos == 0) => {
            Ok(Outcome::Reserved {
                order_id: reply.order_id,
                id_characters: reply.reservation_id.len(),
            })
        }
        (INVALID_ARGUMENT, _) => Ok(Outcome::Invalid),
        (FAILED_PRECONDITION, _) => Ok(Outcome::Conflict),
        (status, message) => Err(unreadable(method, &format!("status {status}, {message:?}"))),
    }
}

fn reserved(what: &str, answer: &Value) -> Result<Outcome, VerifyError> {
    let read = || {
        let expires_at = answer["expiresAt"].as_str()?;
        expires_at
            .parse::<jiff::Timestamp>()
            .ok()
            .filter(|at| at.subsec_nanosecond() == 0)?;
        Some(Outcome::Reserved {
            order_id: answer["orderId"].as_str()?.to_owned(),
            id_characters: answer["reservationId"].as_str()?.len(),
        })
    };
    read().ok_or_else(|| unreadable(what, &answer.to_string()))
}
