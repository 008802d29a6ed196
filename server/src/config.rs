//! What can be set from the command line or the environment, with the defaults.

use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    time::Duration,
};

use clap::Args;

use crate::{
    domain::{Limits, StockLevel},
    expenses::{DatabaseError, DatabaseLocation, Expenses, ExpensesConfig},
    freshness::Freshness,
    graphql::{GraphqlConfig, PersistedDocuments, Upstream},
    rest::RestConfig,
    rpc::RpcConfig,
    setting::{
        GraphqlUpstream, LogLevel, Switch, available_cores, parse_address, parse_body_bytes,
        parse_count, parse_database, parse_delay, parse_max_age, parse_stock, parse_surcharge,
        parse_u16, parse_upstream, parse_workers,
    },
    tls::{TlsConfig, TlsError},
};

/// How the target server listens and what it accepts. All four styles share these settings.
#[derive(Args, Clone, Debug)]
pub struct ServerConfig {
    /// The HTTP/1.1 port, which serves REST, GraphQL and gRPC-Web; 0 picks a free one.
    #[arg(
        long, allow_negative_numbers = true,
        value_name = "PORT",
        env = "BOOKSTORE_HTTP_PORT",
        value_parser = parse_u16,
        default_value_t = 5300
    )]
    #[arg(help_heading = "Where to listen")]
    pub http_port: u16,

    /// The HTTP/2 cleartext port, which serves gRPC and gRPC-Web; 0 picks a free one.
    #[arg(
        long, allow_negative_numbers = true,
        value_name = "PORT",
        env = "BOOKSTORE_H2C_PORT",
        value_parser = parse_u16,
        default_value_t = 5301
    )]
    #[arg(help_heading = "Where to listen")]
    pub h2c_port: u16,

    /// The address that both ports are bound to; the default is reachable from this machine only.
    #[arg(long, value_name = "ADDRESS", env = "BOOKSTORE_BIND", value_parser = parse_address)]
    #[arg(default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST), help_heading = "Where to listen")]
    pub bind: IpAddr,

    /// The number of threads that serve requests.
    #[arg(long, allow_negative_numbers = true, value_name = "COUNT", env = "BOOKSTORE_WORKERS", value_parser = parse_workers)]
    #[arg(default_value_t = available_cores(), help_heading = "How to serve")]
    pub workers: usize,

    /// What is logged to standard error; `info` writes one line per request and costs CPU.
    #[arg(long, value_name = "LEVEL", env = "BOOKSTORE_LOG", value_enum)]
    #[arg(default_value_t = LogLevel::Warn, help_heading = "How to serve")]
    pub log_level: LogLevel,

    /// The seconds that requests in flight get to finish after a termination signal.
    #[arg(
        long, allow_negative_numbers = true,
        value_name = "SECONDS",
        env = "BOOKSTORE_SHUTDOWN_GRACE",
        value_parser = parse_u16,
        default_value_t = 10
    )]
    #[arg(help_heading = "How to serve")]
    pub shutdown_grace: u16,

    /// The copies of each book at the start: `unlimited`, or a number that reservations use up.
    #[arg(long, allow_negative_numbers = true, value_name = "COPIES", env = "BOOKSTORE_STOCK", value_parser = parse_stock)]
    #[arg(default_value = "unlimited", help_heading = "How to serve")]
    pub stock: StockLevel,

    /// The time that a backend behind the store would take for each operation, like 5ms; every style
    /// waits for it once per operation and uses no CPU meanwhile. Off unless given.
    #[arg(long, allow_negative_numbers = true, value_name = "DURATION", env = "BOOKSTORE_BACKEND_DELAY", value_parser = parse_delay)]
    #[arg(help_heading = "For measurements", hide_short_help = true)]
    pub backend_delay: Option<Duration>,

    /// Makes REST reads and GraphQL queries by GET cacheable, with `ETag`, `Cache-Control` and 304, for
    /// so many seconds; 0 makes clients ask each time. Off unless given.
    #[arg(long, allow_negative_numbers = true, value_name = "SECONDS", env = "BOOKSTORE_CACHE_MAX_AGE", value_parser = parse_max_age)]
    #[arg(help_heading = "How to serve", hide_short_help = true)]
    pub cache_max_age: Option<u32>,

    /// Whether REST serves a second screen, /api/screens/book-card/{id}; GraphQL answers its query
    /// either way.
    #[arg(
        long,
        value_name = "SWITCH",
        env = "BOOKSTORE_SECOND_SCREEN",
        value_enum,
        hide_short_help = true
    )]
    #[arg(default_value_t = Switch::Off, help_heading = "For measurements")]
    pub second_screen: Switch,

    /// Whether the HTTP/2 port serves REST, too; for measuring JSON over HTTP/2.
    #[arg(
        long,
        value_name = "SWITCH",
        env = "BOOKSTORE_REST_H2C",
        value_enum,
        hide_short_help = true
    )]
    #[arg(default_value_t = Switch::Off, help_heading = "For measurements")]
    pub rest_h2c: Switch,

    /// Translate gRPC-Web in a proxy that calls the gRPC port over a connection, instead of in place.
    #[arg(
        long,
        value_name = "SWITCH",
        env = "BOOKSTORE_GRPC_WEB_HOP",
        value_enum,
        hide_short_help = true
    )]
    #[arg(default_value_t = Switch::Off, help_heading = "For measurements")]
    pub grpc_web_hop: Switch,

    /// Serve work that takes a while, and a relay in front of it that calls this server itself; for
    /// measuring what deadlines save.
    #[arg(
        long,
        value_name = "SWITCH",
        env = "BOOKSTORE_RELAYED_WORK",
        value_enum,
        hide_short_help = true
    )]
    #[arg(default_value_t = Switch::Off, help_heading = "For measurements")]
    pub relayed_work: Switch,

    /// Whether and how both ports are encrypted.
    #[command(flatten)]
    pub tls: TlsConfig,

    /// Serves the expenses of a household beside the books: in `memory`, in the file of this path,
    /// which is made and filled when it does not exist, or in the database of a server at
    /// `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, which is filled when it is empty. Off unless given.
    #[arg(long, visible_alias = "database-url", value_name = "WHERE", env = "BOOKSTORE_EXPENSES", value_parser = parse_database)]
    #[arg(
        hide_env_values = true,
        help_heading = "Expenses",
        hide_short_help = true
    )]
    pub expenses: Option<DatabaseLocation>,

    /// How the expenses are served.
    #[command(flatten)]
    pub household: ExpensesConfig,

    /// The most lines that one order may have.
    #[arg(long, allow_negative_numbers = true, value_name = "COUNT", env = "BOOKSTORE_MAX_LINES", value_parser = parse_count)]
    #[arg(default_value_t = Limits::default().max_lines, help_heading = "Limits")]
    pub max_lines: usize,

    /// The largest request body or gRPC message in bytes, in every style.
    #[arg(
        long,
        allow_negative_numbers = true,
        value_name = "BYTES",
        env = "BOOKSTORE_MAX_BODY_BYTES"
    )]
    #[arg(value_parser = parse_body_bytes, default_value_t = 1 << 20, help_heading = "Limits")]
    pub max_body_bytes: usize,

    /// The deepest nesting of a GraphQL query that is still answered.
    #[arg(
        long,
        allow_negative_numbers = true,
        value_name = "LEVELS",
        env = "BOOKSTORE_GRAPHQL_MAX_DEPTH"
    )]
    #[arg(value_parser = parse_count, help_heading = "Limits")]
    #[arg(default_value_t = GraphqlConfig::default().max_depth)]
    pub graphql_max_depth: usize,

    /// The highest complexity of a GraphQL query that is still answered.
    #[arg(
        long,
        allow_negative_numbers = true,
        value_name = "POINTS",
        env = "BOOKSTORE_GRAPHQL_MAX_COMPLEXITY"
    )]
    #[arg(value_parser = parse_count, help_heading = "Limits")]
    #[arg(default_value_t = GraphqlConfig::default().max_complexity)]
    pub graphql_max_complexity: usize,

    /// Whether GraphQL answers questions about its own schema.
    #[arg(
        long,
        value_name = "SWITCH",
        env = "BOOKSTORE_GRAPHQL_INTROSPECTION",
        value_enum
    )]
    #[arg(default_value_t = GraphqlConfig::default().introspection.into())]
    #[arg(help_heading = "GraphQL")]
    pub graphql_introspection: Switch,

    /// Whether GraphQL keeps documents that were parsed and validated once.
    #[arg(
        long,
        value_name = "SWITCH",
        env = "BOOKSTORE_GRAPHQL_DOCUMENT_CACHE",
        value_enum
    )]
    #[arg(default_value_t = GraphqlConfig::default().document_cache.into())]
    #[arg(help_heading = "GraphQL")]
    pub graphql_document_cache: Switch,

    /// Which GraphQL requests may name their document instead of sending it: none, by SHA-256 hash or
    /// listed id, or nothing but listed documents.
    #[arg(
        long,
        value_name = "WHICH",
        env = "BOOKSTORE_GRAPHQL_PERSISTED",
        value_enum,
        hide_short_help = true
    )]
    #[arg(default_value_t = GraphqlConfig::default().persisted)]
    #[arg(help_heading = "GraphQL")]
    pub graphql_persisted: PersistedDocuments,

    /// Makes GraphQL ask gRPC services for everything instead of the store: `own` for those of this
    /// server, over its HTTP/2 port, or the address of another. Off unless given.
    #[arg(long, value_name = "WHERE", env = "BOOKSTORE_GRAPHQL_UPSTREAM", value_parser = parse_upstream)]
    #[arg(
        help_heading = "GraphQL",
        hide_short_help = true,
        conflicts_with = "expenses"
    )]
    pub graphql_upstream: Option<GraphqlUpstream>,

    /// Whether GraphQL asks gRPC services for author, stock and reviews of a book in one call instead of
    /// three; for --graphql-upstream.
    #[arg(
        long,
        value_name = "SWITCH",
        env = "BOOKSTORE_GRAPHQL_BATCHING",
        value_enum,
        hide_short_help = true
    )]
    #[arg(default_value_t = Switch::Off, help_heading = "GraphQL")]
    pub graphql_batching: Switch,

    /// Burns this share of extra CPU on top of what the server uses by itself, so that a
    /// measurement can be tested against a known cost: 0.15 makes every request about 15 % dearer.
    /// Off unless given.
    #[arg(
        long,
        allow_negative_numbers = true,
        value_name = "SHARE",
        env = "BOOKSTORE_SURCHARGE",
        hide_short_help = true
    )]
    #[arg(value_parser = parse_surcharge, help_heading = "For measurements")]
    pub surcharge: Option<f64>,
}

impl ServerConfig {
    /// What an order may ask for.
    #[must_use]
    pub fn limits(&self) -> Limits {
        Limits {
            max_lines: self.max_lines,
        }
    }

    /// The REST adapter's share of the settings.
    #[must_use]
    pub fn rest(&self) -> RestConfig {
        RestConfig {
            max_body_bytes: self.max_body_bytes,
            freshness: self.freshness(),
            second_screen: self.second_screen.is_on(),
            ..RestConfig::default()
        }
    }

    /// The gRPC adapter's share of the settings.
    #[must_use]
    pub fn rpc(&self) -> RpcConfig {
        RpcConfig {
            max_message_bytes: self.max_body_bytes,
        }
    }

    /// The GraphQL adapter's share of the settings.
    #[must_use]
    pub fn graphql(&self) -> GraphqlConfig {
        GraphqlConfig {
            max_depth: self.graphql_max_depth,
            max_complexity: self.graphql_max_complexity,
            introspection: self.graphql_introspection.is_on(),
            document_cache: self.graphql_document_cache.is_on(),
            persisted: self.graphql_persisted,
            freshness: self.freshness(),
            max_body_bytes: self.max_body_bytes,
        }
    }

    /// Opens the expenses, if they were asked for.
    ///
    /// # Errors
    /// [`DatabaseError`]; what is there stays as it was.
    pub async fn open_expenses(&self) -> Result<Option<Expenses>, DatabaseError> {
        match &self.expenses {
            None => Ok(None),
            Some(location) => Expenses::open(location, &self.household).await.map(Some),
        }
    }

    /// The gRPC services that GraphQL asks, if it does not ask the store.
    #[must_use]
    pub fn upstream(&self) -> Option<Upstream> {
        let address = match self.graphql_upstream? {
            GraphqlUpstream::Own => SocketAddr::new(self.bind, self.h2c_port),
            GraphqlUpstream::At(address) => address,
        };
        Some(Upstream {
            address,
            is_batching: self.graphql_batching.is_on(),
        })
    }

    /// Refuses what would make an encrypted server call its own ports.
    pub(crate) fn check_tls(&self) -> Result<(), TlsError> {
        let own_calls = [
            ("--grpc-web-hop on", self.grpc_web_hop.is_on()),
            ("--relayed-work on", self.relayed_work.is_on()),
            (
                "--graphql-upstream own",
                self.graphql_upstream == Some(GraphqlUpstream::Own),
            ),
        ];
        match own_calls.into_iter().find(|(_, asked)| *asked) {
            Some((flag, _)) if self.tls.tls.is_on() => Err(TlsError::OwnCalls { flag }),
            _ => Ok(()),
        }
    }

    fn freshness(&self) -> Option<Freshness> {
        self.cache_max_age.map(|max_age_s| Freshness { max_age_s })
    }

    /// How long requests in flight may take after a termination signal.
    #[must_use]
    pub fn grace(&self) -> Duration {
        Duration::from_secs(self.shutdown_grace.into())
    }
}

#[cfg(test)]
mod tests;
