//! The figures that invented sessions scatter around.

use bookstore_bench::catalogue::Style;

/// Figures that a row's runs scatter around.
pub struct Cell {
    pub group: Group,
    pub id: &'static str,
    pub style: Style,
    pub label: &'static str,
    /// Requests and sequential round trips of one operation.
    pub requests: (u32, u32),
    /// Sent, received, and of these the bodies, per operation.
    pub bytes: [u64; 4],
    /// Server and client CPU per operation.
    pub cpu_us: [f64; 2],
    /// Median and 95th percentile.
    pub latency_ms: [f64; 2],
}

/// Group id, label, scenario, lines of an order.
type Group = (&'static str, &'static str, &'static str, Option<u32>);
const SMALL: Group = ("L2-a", "(a) 2 lines", "a", Some(2));
const LARGE: Group = ("L50-a", "(a) 50 lines", "a", Some(50));
const SCREEN: Group = ("b", "(b) book detail", "b", None);

/// The ten cells that are measured by default, in table order.
pub const DEFAULT_CELLS: [Cell; 10] = [
    cell(
        SMALL,
        "a-rest",
        Style::Rest,
        "REST",
        [245, 337, 105, 90],
        [11.8, 17.1],
        [0.21, 0.44],
    ),
    cell(
        SMALL,
        "a-grpc",
        Style::Grpc,
        "gRPC",
        [117, 108, 50, 31],
        [15.2, 19.6],
        [0.27, 0.52],
    ),
    cell(
        SMALL,
        "a-graphql",
        Style::GraphQl,
        "GraphQL",
        [409, 298, 278, 77],
        [15.5, 18.4],
        [0.24, 0.49],
    ),
    cell(
        LARGE,
        "a-rest",
        Style::Rest,
        "REST",
        [2_070, 337, 1_929, 90],
        [24.9, 18.9],
        [0.33, 0.61],
    ),
    cell(
        LARGE,
        "a-grpc",
        Style::Grpc,
        "gRPC",
        [1_029, 108, 962, 31],
        [24.1, 24.3],
        [0.36, 0.70],
    ),
    cell(
        LARGE,
        "a-graphql",
        Style::GraphQl,
        "GraphQL",
        [2_234, 298, 2_102, 77],
        [61.0, 20.2],
        [0.64, 1.12],
    ),
    Cell {
        requests: (4, 2),
        ..cell(
            SCREEN,
            "b-rest",
            Style::Rest,
            "REST",
            [348, 1_046, 0, 410],
            [43.5, 58.3],
            [0.74, 1.31],
        )
    },
    cell(
        SCREEN,
        "b-rest-bff",
        Style::Rest,
        "REST BFF",
        [98, 372, 0, 237],
        [11.2, 15.0],
        [0.20, 0.41],
    ),
    cell(
        SCREEN,
        "b-grpcweb",
        Style::GrpcWeb,
        "gRPC-Web",
        [203, 294, 9, 139],
        [14.4, 16.2],
        [0.23, 0.47],
    ),
    cell(
        SCREEN,
        "b-graphql",
        Style::GraphQl,
        "GraphQL",
        [302, 429, 171, 257],
        [23.8, 18.8],
        [0.32, 0.66],
    ),
];

const fn cell(
    group: Group,
    id: &'static str,
    style: Style,
    label: &'static str,
    bytes: [u64; 4],
    cpu_us: [f64; 2],
    latency_ms: [f64; 2],
) -> Cell {
    Cell {
        group,
        id,
        style,
        label,
        requests: (1, 1),
        bytes,
        cpu_us,
        latency_ms,
    }
}
