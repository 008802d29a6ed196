//! Calls of the gRPC service, without a socket.

use bookstore_proto::v1::{
    Expense, ListExpensesRequest, ListExpensesResponse, ListUsersRequest, ListUsersResponse,
};
use http::{HeaderMap, Request, Version};
use prost::Message;
use prost_types::FieldMask;
use serde_json::{Value, json};
use tonic::{Code, Status};

use super::household::{Answer, Household};

const SERVICE: &str = "/bookstore.bench.v1.ExpensesService";
const TRAILERS: u8 = 0x80;

/// The protocol of a call.
#[derive(Clone, Copy, Debug)]
pub enum Protocol {
    Grpc,
    Web,
}

impl Protocol {
    pub const BOTH: [Self; 2] = [Self::Grpc, Self::Web];
}

impl Household {
    /// One call with this message.
    pub async fn call_rpc(
        &self,
        protocol: Protocol,
        path: &str,
        message: &impl Message,
        token: Option<&str>,
    ) -> Answer {
        let (version, content_type) = match protocol {
            Protocol::Grpc => (Version::HTTP_2, "application/grpc"),
            Protocol::Web => (Version::HTTP_11, "application/grpc-web+proto"),
        };
        let mut request = Request::post(path)
            .version(version)
            .header("content-type", content_type);
        if let Some(token) = token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        self.call(request, frame(message)).await
    }

    pub async fn list_expenses(
        &self,
        protocol: Protocol,
        request: &ListExpensesRequest,
    ) -> Result<ListExpensesResponse, Status> {
        let path = format!("{SERVICE}/ListExpenses");
        let answer = self.call_rpc(protocol, &path, request, None).await;
        answer.message()
    }

    pub async fn list_users(
        &self,
        protocol: Protocol,
        token: Option<&str>,
    ) -> Result<ListUsersResponse, Status> {
        let path = format!("{SERVICE}/ListUsers");
        let request = ListUsersRequest {};
        let answer = self.call_rpc(protocol, &path, &request, token).await;
        answer.message()
    }
}

impl Answer {
    /// The one message of a call, or its status.
    pub fn message<M: Message + Default>(&self) -> Result<M, Status> {
        let trailers = self.trailers.as_ref().unwrap_or(&self.headers);
        let status = Status::from_header_map(trailers).unwrap_or_else(|| web_status(&self.body));
        if status.code() != Code::Ok {
            return Err(status);
        }
        let (message, _) = first_frame(&self.body);
        Ok(M::decode(message).unwrap())
    }
}

/// Flag, length and message.
fn frame(message: &impl Message) -> Vec<u8> {
    let length = u32::try_from(message.encoded_len()).unwrap();
    let mut frame = vec![0];
    frame.extend(length.to_be_bytes());
    frame.extend(message.encode_to_vec());
    frame
}

fn first_frame(body: &[u8]) -> (&[u8], &[u8]) {
    let length = u32::from_be_bytes(body[1..5].try_into().unwrap());
    body[5..].split_at(usize::try_from(length).unwrap())
}

/// The status in the last frame of a gRPC-Web body that has a message.
fn web_status(body: &[u8]) -> Status {
    let (_, rest) = first_frame(body);
    assert_eq!(rest[0], TRAILERS);
    let lines = String::from_utf8(first_frame(rest).0.to_vec()).unwrap();
    let mut trailers = HeaderMap::new();
    for line in lines.lines() {
        let (name, value) = line.split_once(':').unwrap();
        let name: http::HeaderName = name.parse().unwrap();
        trailers.insert(name, value.trim().parse().unwrap());
    }
    Status::from_header_map(&trailers).unwrap()
}

/// A mask of these paths.
pub fn mask(paths: &[&str]) -> FieldMask {
    let paths = paths.iter().map(|&path| path.to_owned()).collect();
    FieldMask { paths }
}

/// An expense as REST writes it with its whole payee.
pub fn as_rest(expense: &Expense) -> Value {
    let payee = expense.payee.as_ref().map(|payee| {
        json!({
            "id": payee.id,
            "username": payee.username,
            "createdAt": payee.created_at,
            "updatedAt": payee.updated_at,
        })
    });
    json!({
        "id": expense.id,
        "title": expense.title,
        "description": expense.description,
        "price": expense.price_cents,
        "resolved": expense.resolved,
        "date": expense.date,
        "createdAt": expense.created_at,
        "updatedAt": expense.updated_at,
        "payee": payee,
        "tags": expense.tags,
    })
}
