//! The server under test of the public suite connectrpc/conformance.
//!
//! It is the product's server, with the listeners, routes and layers that it always has, and the
//! suite's service mounted beside the Bookstore's. The suite starts one process per configuration,
//! tells it on standard input what to be, reads on standard output where it listens, and ends it
//! with SIGTERM.

mod answer;
mod call;
mod compat;
mod metadata;
mod service;
mod suite;
mod trailers;

use std::{
    future,
    io::{self, Write as _},
    process::ExitCode,
};

use bookstore_server::{BuildFacts, Server, ServerConfig, app, rpc};
use clap::Parser;
use tokio::runtime::Builder;
use tonic::codec::CompressionEncoding;

use crate::{
    compat::{CompatError, read_request, write_response},
    service::Conformance,
    suite::{
        FILE_DESCRIPTOR_SET, HttpVersion, ServerCompatRequest, ServerCompatResponse,
        conformance_service_server::ConformanceServiceServer,
    },
    trailers::WithTrailers,
};

const BUILD: BuildFacts = BuildFacts {
    version: env!("CARGO_PKG_VERSION"),
    git_revision: None,
    build_profile: if cfg!(debug_assertions) {
        "debug"
    } else {
        "release"
    },
    allocator: "system",
};

/// Serves the suite connectrpc/conformance, which starts this program itself.
#[derive(Debug, Parser)]
struct Arguments {
    #[command(flatten)]
    server: ServerConfig,
}

fn main() -> ExitCode {
    let Err(error) = serve(Arguments::parse().server) else {
        return ExitCode::SUCCESS;
    };
    // Nobody is left to tell when standard error is gone.
    let _ = writeln!(io::stderr(), "error: {error}");
    ExitCode::FAILURE
}

/// Serves until the process is ended.
fn serve(config: ServerConfig) -> Result<(), CompatError> {
    let wanted = read_request(&mut io::stdin().lock())?;
    let config = configured(config, &wanted)?;
    let runtime = Builder::new_multi_thread()
        .worker_threads(config.workers)
        .enable_all()
        .build()
        .map_err(CompatError::Runtime)?;
    runtime.block_on(async {
        let server = bind(&config).await?;
        let address = match wanted.http_version() {
            HttpVersion::HttpVersion1 => server.addresses().http1,
            _ => server.addresses().h2c,
        };
        let response = ServerCompatResponse {
            host: address.ip().to_string(),
            port: address.port().into(),
            pem_cert: Vec::new(),
        };
        write_response(&mut io::stdout().lock(), &response)?;
        server.run(future::pending()).await;
        Ok(())
    })
}

/// `config` as the suite wants it, on free ports.
fn configured(
    mut config: ServerConfig,
    wanted: &ServerCompatRequest,
) -> Result<ServerConfig, CompatError> {
    if wanted.use_tls {
        return Err(CompatError::Tls);
    }
    match wanted.http_version() {
        HttpVersion::HttpVersion1 | HttpVersion::HttpVersion2 => {}
        other => return Err(CompatError::HttpVersion(other)),
    }
    config.http_port = 0;
    config.h2c_port = 0;
    if let Some(limit) = usize::try_from(wanted.message_receive_limit)
        .ok()
        .filter(|limit| *limit > 0)
    {
        config.max_body_bytes = limit;
    }
    Ok(config)
}

async fn bind(config: &ServerConfig) -> Result<Server, CompatError> {
    // As the product sets up its own services.
    let service = ConformanceServiceServer::new(Conformance)
        .accept_compressed(CompressionEncoding::Gzip)
        .send_compressed(CompressionEncoding::Gzip)
        .max_decoding_message_size(config.rpc().max_message_bytes);
    let service = WithTrailers::new(service);
    let mut app = app(config, BUILD);
    for router in [&mut app.http1, &mut app.h2c] {
        let product = std::mem::take(router);
        *router = rpc::mount(product, service.clone(), FILE_DESCRIPTOR_SET, &config.rpc());
    }
    Ok(Server::bind_app(config, app).await?)
}
