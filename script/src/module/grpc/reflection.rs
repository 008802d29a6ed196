//! Definitions from the server itself
//! (<https://github.com/grpc/grpc/blob/master/doc/server-reflection.md>).

use std::{
    collections::{BTreeMap, HashSet},
    rc::Rc,
    sync::Arc,
    time::Instant,
};

use bytes::Bytes;
use http::uri::PathAndQuery;
use prost::{Message, Oneof};
use prost_reflect::DescriptorPool;
use prost_types::{FileDescriptorProto, FileDescriptorSet};
use rquickjs::{Ctx, Result};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::{
    channel::Channel,
    definition::Definitions,
    params::ConnectParams,
    plan::on_thread_stack,
    protocol::Protocol,
    samples::CallTags,
    status::Status,
    transport::{Call, Ending, Outgoing, Timeout, framed},
};
use crate::{
    engine::{Vu, throw, wait},
    module::core::ns,
};

/// The service in both its versions, which have the same messages.
const METHODS: [&str; 2] = [
    "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
    "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
];
const UNIMPLEMENTED: i32 = 12;

/// Asks the server for all its services.
///
/// # Errors
/// Throws when it does not tell, or what it tells is no set of definitions.
pub(super) fn load(
    ctx: &Ctx<'_>,
    vu: &Vu,
    channel: &Channel,
    params: &ConnectParams,
) -> Result<Definitions> {
    let mut result = Err(Status::default());
    for method in METHODS {
        let began = Instant::now();
        result = wait(ctx, ask(channel, method, params))?;
        let code = result.as_ref().map_or_else(|status| status.code, |_| 0);
        if channel.protocol == Protocol::Grpc {
            CallTags::plain(vu, channel).record(vu, None, code, ns(began.elapsed()));
        }
        if code != UNIMPLEMENTED {
            break;
        }
    }
    let failed = |text: String| throw(ctx, format!("error invoking reflect API: {text}"));
    let file: Vec<_> = result.map_err(|status| failed(status.describe()))?;
    let set = FileDescriptorSet { file };
    let pool = on_thread_stack(ctx, || {
        DescriptorPool::from_file_descriptor_set(set.clone())
    })?;
    Ok(Definitions {
        pool: pool.map_err(|error| failed(error.to_string()))?,
        files: Arc::new(set),
    })
}

async fn ask(
    channel: &Channel,
    method: &'static str,
    params: &ConnectParams,
) -> std::result::Result<Vec<FileDescriptorProto>, Status> {
    let call = Call {
        path: PathAndQuery::from_static(method),
        metadata: params.reflect_metadata.clone(),
        timeout: Some(Timeout {
            duration: params.timeout,
            announced: false,
        }),
    };
    let (questions, outgoing) = unbounded_channel();
    let mut inquiry = Inquiry::new(questions);
    inquiry.ask(Question::ListServices("*".to_owned()));
    let ending = match channel.protocol {
        Protocol::Grpc => {
            let outgoing = Outgoing::Many(outgoing, Rc::new(|| {}));
            let mut take = |answer: Bytes| inquiry.take(answer);
            channel.transport.call(&call, outgoing, &mut take).await
        }
        Protocol::Web => one_by_one(channel, &call, outgoing, &mut inquiry).await,
    };
    if ending.status.is_ok() {
        Ok(inquiry.files.into_values().collect())
    } else {
        Err(ending.status)
    }
}

/// A call for each question: gRPC-Web carries one message to the server.
async fn one_by_one(
    channel: &Channel,
    call: &Call,
    mut questions: UnboundedReceiver<Bytes>,
    inquiry: &mut Inquiry,
) -> Ending {
    while let Ok(question) = questions.try_recv() {
        let outgoing = Outgoing::One(question);
        let mut take = |answer: Bytes| inquiry.take(answer);
        let ending = channel.transport.call(call, outgoing, &mut take).await;
        if !ending.status.is_ok() {
            return ending;
        }
    }
    Ending::default()
}

/// Questions that follow from answers.
struct Inquiry {
    /// Dropped when everything was answered, which ends the call.
    questions: Option<UnboundedSender<Bytes>>,
    unanswered: usize,
    asked: HashSet<String>,
    files: BTreeMap<String, FileDescriptorProto>,
}

impl Inquiry {
    fn new(questions: UnboundedSender<Bytes>) -> Self {
        Self {
            questions: Some(questions),
            unanswered: 0,
            asked: HashSet::new(),
            files: BTreeMap::new(),
        }
    }

    fn ask(&mut self, question: Question) {
        let name = format!("{question:?}");
        if !self.asked.insert(name) {
            return;
        }
        let request = Request {
            question: Some(question),
        };
        if let Some(questions) = &self.questions
            && questions.send(framed(&request)).is_ok()
        {
            self.unanswered += 1;
        }
    }

    fn take(&mut self, answer: Bytes) -> std::result::Result<(), Status> {
        let malformed =
            |error: prost::DecodeError| Status::internal(format!("reflection: {error}"));
        match Response::decode(answer).map_err(malformed)?.answer {
            Some(Answer::Services(list)) => {
                for service in list.services {
                    self.ask(Question::FileContainingSymbol(service.name));
                }
            }
            Some(Answer::Files(list)) => {
                for file in list.files {
                    let file = FileDescriptorProto::decode(&*file).map_err(malformed)?;
                    self.files.insert(file.name().to_owned(), file);
                }
                self.ask_for_imports();
            }
            Some(Answer::Error(error)) => {
                return Err(Status {
                    code: error.code,
                    message: error.message,
                    details: Bytes::new(),
                });
            }
            None => return Err(Status::internal("reflection: an answer without content")),
        }
        self.unanswered = self.unanswered.saturating_sub(1);
        if self.unanswered == 0 {
            self.questions = None;
        }
        Ok(())
    }

    fn ask_for_imports(&mut self) {
        let imports = self.files.values().flat_map(|file| file.dependency.iter());
        let missing: Vec<_> = imports
            .filter(|name| !self.files.contains_key(*name))
            .cloned()
            .collect();
        for name in missing {
            self.ask(Question::FileByName(name));
        }
    }
}

#[derive(Clone, PartialEq, Message)]
struct Request {
    #[prost(oneof = "Question", tags = "3, 4, 7")]
    question: Option<Question>,
}

#[derive(Clone, PartialEq, Oneof)]
enum Question {
    #[prost(string, tag = "3")]
    FileByName(String),
    #[prost(string, tag = "4")]
    FileContainingSymbol(String),
    #[prost(string, tag = "7")]
    ListServices(String),
}

#[derive(Clone, PartialEq, Message)]
struct Response {
    #[prost(oneof = "Answer", tags = "4, 6, 7")]
    answer: Option<Answer>,
}

#[derive(Clone, PartialEq, Oneof)]
enum Answer {
    #[prost(message, tag = "4")]
    Files(FileList),
    #[prost(message, tag = "6")]
    Services(ServiceList),
    #[prost(message, tag = "7")]
    Error(ReflectionError),
}

#[derive(Clone, PartialEq, Message)]
struct FileList {
    #[prost(bytes = "vec", repeated, tag = "1")]
    files: Vec<Vec<u8>>,
}

#[derive(Clone, PartialEq, Message)]
struct ServiceList {
    #[prost(message, repeated, tag = "1")]
    services: Vec<ServiceName>,
}

#[derive(Clone, PartialEq, Message)]
struct ServiceName {
    #[prost(string, tag = "1")]
    name: String,
}

#[derive(Clone, PartialEq, Message)]
struct ReflectionError {
    #[prost(int32, tag = "1")]
    code: i32,
    #[prost(string, tag = "2")]
    message: String,
}
