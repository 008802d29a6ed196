//! Health and reflection.

use prost::Message as _;
use tonic::Code;
use tonic_health::pb::{
    HealthCheckRequest, HealthCheckResponse, health_check_response::ServingStatus,
};
use tonic_reflection::pb::{v1, v1alpha};

use crate::{peer::Peer, requests::frame, style::Style};

const HEALTH: &str = "/grpc.health.v1.Health/Check";
const REFLECTION: &str = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo";
const OLD_REFLECTION: &str = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo";

#[tokio::test]
async fn the_server_and_its_services_are_serving() {
    let peer = Peer::bookstore().await;
    for style in Style::ALL {
        for service in [
            "",
            "bookstore.bench.v1.InventoryService",
            "bookstore.bench.v1.CatalogService",
            "bookstore.bench.v1.ResourceService",
        ] {
            let request = HealthCheckRequest {
                service: service.to_owned(),
            };
            let answer = peer.call(style, HEALTH, &frame(&request)).await;
            let message: HealthCheckResponse = answer.message();
            assert_eq!(message.status(), ServingStatus::Serving, "{style:?}");
        }
        let request = HealthCheckRequest {
            service: "nobody".to_owned(),
        };
        let answer = peer.call(style, HEALTH, &frame(&request)).await;
        assert_eq!(answer.code(), Code::NotFound);
    }
}

/// Both requests in one body: a bidirectional stream, of which gRPC-Web can do the half-duplex
/// form.
#[tokio::test]
async fn reflection_lists_the_services_and_hands_out_the_contract() {
    use v1::{
        server_reflection_request::MessageRequest, server_reflection_response::MessageResponse,
    };

    let ask = |message| v1::ServerReflectionRequest {
        host: String::new(),
        message_request: Some(message),
    };
    let frames = [
        frame(&ask(MessageRequest::ListServices(String::new()))),
        frame(&ask(MessageRequest::FileContainingSymbol(
            "bookstore.bench.v1.CatalogService".to_owned(),
        ))),
    ]
    .concat();
    let peer = Peer::bookstore().await;
    for style in Style::ALL {
        let answers: Vec<v1::ServerReflectionResponse> =
            peer.call(style, REFLECTION, &frames).await.decode();
        let responses = answers.into_iter().filter_map(|one| one.message_response);
        let [list, file] = responses.collect::<Vec<_>>().try_into().unwrap();
        let MessageResponse::ListServicesResponse(list) = list else {
            panic!("a list, not {list:?}");
        };
        let mut names: Vec<String> = list.service.into_iter().map(|s| s.name).collect();
        names.sort();
        assert_eq!(
            names,
            [
                "Greet.Greeter",
                "MeteoriteLandingsService.MeteoriteLandingsService",
                "bookstore.bench.v1.CatalogService",
                "bookstore.bench.v1.EventService",
                "bookstore.bench.v1.InventoryService",
                "bookstore.bench.v1.ResourceService",
                "grpc.health.v1.Health",
                "grpc.reflection.v1.ServerReflection",
            ]
        );
        let MessageResponse::FileDescriptorResponse(files) = file else {
            panic!("a file, not {file:?}");
        };
        let file = &files.file_descriptor_proto[0];
        let file = prost_types::FileDescriptorProto::decode(file.as_slice()).unwrap();
        assert_eq!(file.package(), "bookstore.bench.v1");
    }
}

#[tokio::test]
async fn older_tools_find_reflection_too() {
    use v1alpha::server_reflection_request::MessageRequest;

    let request = v1alpha::ServerReflectionRequest {
        host: String::new(),
        message_request: Some(MessageRequest::ListServices(String::new())),
    };
    let peer = Peer::bookstore().await;
    let answer = peer
        .call(Style::Grpc, OLD_REFLECTION, &frame(&request))
        .await;
    let _: v1alpha::ServerReflectionResponse = answer.message();
}
