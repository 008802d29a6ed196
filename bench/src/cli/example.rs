//! What stands at the end of the help of each command: what it is used for, to be copied.

pub(super) const MEASURE: &str = "\
Examples:
  REST against gRPC with 50 lines per order, ten rounds of two seconds:
    bookstore-bench --cells a-rest,a-grpc --lines 50 --rounds 10 --duration 2s
  A screen over a link with a round trip of 80 ms:
    bookstore-bench --cells b-rest@rtt=80ms,b-graphql@rtt=80ms
  Every style of the screen at half of what the slowest of them can do:
    bookstore-bench --cells b-rest,b-grpcweb,b-graphql --rate 50%

Exit codes: 0 measured; 1 failed; 2 usage; 3 wrong answers, failed operations, debug build or no
valid row; 130 interrupted (the partial result is kept).";

pub(super) const CELLS: &str = "\
Example: measure two of them:
  bookstore-bench --cells e-B-rest,e-B-graphql";

pub(super) const CLAIMS: &str = "\
Examples:
  bookstore-bench claims --list
  bookstore-bench claims --id C12,C29
  bookstore-bench claims --source article --full --out article-full

Exit codes: 0 checked; 1 failed; 2 usage; 3 wrong answers, failed operations or a debug build; 130
interrupted (repeat the command with the folder as --out to go on).";

pub(super) const COMPARE: &str = "\
Examples:
  bookstore-bench compare before/results.json after/results.json
  bookstore-bench compare article after/results.json";

pub(super) const REPORT: &str = "\
Example: tables and page once more, in another folder:
  bookstore-bench report before/results.json --out again";

pub(super) const SERVE: &str = "\
Examples:
  bookstore-bench serve
  bookstore-bench serve --http-port 8080 --h2c-port 8081 --log-level info
  bookstore-bench serve --tls on --tls-trust certificate.pem";

pub(super) const RELAY: &str = "\
Example: the server of `serve` behind a round trip of 80 ms and 20 Mbit/s each way:
  bookstore-bench relay --to 127.0.0.1:5300 --listen 127.0.0.1:6300 --delay 40ms --rate 20Mbit/s";

pub(super) const SCRIPT: &str = "\
Example: a script of the suite for five seconds, against `serve`:
  bookstore-bench script run k6/a-rest.js -e VUS=10 -e DURATION=5s";
