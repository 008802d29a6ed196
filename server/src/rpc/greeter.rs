//! `Greet.Greeter`.

use bookstore_proto::greet::{HelloReply, HelloRequest, greeter_server::Greeter};
use tonic::{Request, Response, Status};

use crate::domain::greeting_for;

/// The service.
#[derive(Clone, Copy, Debug)]
pub struct GreeterRpc;

#[tonic::async_trait]
impl Greeter for GreeterRpc {
    async fn say_hello(
        &self,
        request: Request<HelloRequest>,
    ) -> Result<Response<HelloReply>, Status> {
        let message = greeting_for(&request.get_ref().name);
        Ok(Response::new(HelloReply { message }))
    }
}
