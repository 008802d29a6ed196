//! An HTTP/2 server that ends streams and connections in the middle.

use bytes::Bytes;
use h2::{
    Reason,
    server::{self, SendResponse},
};
use http::Response;
use tokio::net::TcpStream;
use tokio_rustls::server::TlsStream;

pub async fn serve(stream: TlsStream<TcpStream>) {
    let Ok(mut connection) = server::handshake(stream).await else {
        return;
    };
    let mut is_first = true;
    while let Some(Ok((request, answer))) = connection.accept().await {
        match request.uri().path() {
            "/reset" => reset(answer, Reason::INTERNAL_ERROR),
            "/refused-when-reused" if !is_first => {
                reset(answer, Reason::REFUSED_STREAM);
                connection.graceful_shutdown();
            }
            "/dies-when-reused" if !is_first => return,
            "/dies" => return,
            "/calm" => connection.abrupt_shutdown(Reason::ENHANCE_YOUR_CALM),
            "/last" => {
                reply(answer);
                connection.graceful_shutdown();
            }
            _ => reply(answer),
        }
        is_first = false;
    }
}

fn reset(mut answer: SendResponse<Bytes>, reason: Reason) {
    answer.send_reset(reason);
}

fn reply(mut answer: SendResponse<Bytes>) {
    let mut body = answer.send_response(Response::new(()), false).unwrap();
    body.send_data(Bytes::from_static(b"ok"), true).unwrap();
}
