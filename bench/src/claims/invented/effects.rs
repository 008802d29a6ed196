//! What one planted change in the article's rows turns, and that it turns nothing else.

use super::{changed, dearer, expect};
use crate::record::{ClaimVerdict, Condition, Run};

#[test]
fn a_style_made_fifteen_percent_dearer_changes_what_it_has_part_in() {
    use ClaimVerdict::{HoldsLarger, HoldsSmaller};
    // REST's lead shrinks at 2 lines, so that the gaps grow more towards 50 lines.
    expect(
        &changed(dearer("L2-a-rest", 1.15)),
        &[
            ("C01", HoldsSmaller),
            ("C02", HoldsLarger),
            ("C04", HoldsSmaller),
        ],
    );
    expect(&changed(dearer("b-graphql", 1.15)), &[]);
}

#[test]
fn a_document_parsed_for_nothing_and_a_cache_that_keeps_nothing_are_seen() {
    use ClaimVerdict::{Flips, TieHere};
    expect(
        &changed(dearer(
            "L2-a-graphql@graphql-document-cache=off",
            47.0 / 79.0,
        )),
        &[("C18", TieHere)],
    );
    let useless = |run: &mut Run| {
        if run.row == "b-rest-max-age@rate=500" {
            run.load.requests = 8 * run.load.operations;
        }
    };
    expect(&changed(useless), &[("C32", Flips)]);
}

#[test]
fn a_body_one_byte_longer_changes_the_claim_about_bodies_alone() {
    let longer = |run: &mut Run| {
        if run.row == "b-graphql" {
            let load = &mut run.load;
            load.received_bytes += load.operations;
            load.received_body_bytes = load
                .received_body_bytes
                .map(|bytes| bytes + load.operations);
        }
    };
    expect(&changed(longer), &[("C21", ClaimVerdict::DoesNotHold)]);
}

#[test]
fn an_extra_round_trip_changes_the_claim_about_requests_alone() {
    let extra = |run: &mut Run| {
        if run.row == "b-rest" {
            run.load.requests += run.load.operations;
            run.load.latency.p50_ms += 0.15;
            run.load.latency.p95_ms += 0.25;
        }
    };
    expect(&changed(extra), &[("C23", ClaimVerdict::HoldsLarger)]);
}

#[test]
fn a_second_round_of_graphql_shows_over_a_link() {
    let second = |run: &mut Run| {
        if let Some((_, condition)) = run.row.split_once("b-graphql@") {
            let rtt_ms = condition.parse::<Condition>().unwrap().rtt_ms;
            run.load.latency.p50_ms += rtt_ms.unwrap_or_default();
        }
    };
    expect(
        &changed(second),
        &[
            ("C25", ClaimVerdict::DoesNotHold),
            ("C46", ClaimVerdict::HoldsSmaller),
        ],
    );
}

#[test]
fn calls_that_cost_less_together_change_the_claims_about_calls() {
    expect(
        &changed(dearer("b-calls-rest@calls=8", 0.5)),
        &[
            ("C20", ClaimVerdict::DoesNotHold),
            ("C37", ClaimVerdict::DoesNotHold),
        ],
    );
    expect(
        &changed(dearer("b-calls-grpcweb@calls=4", 0.3)),
        &[
            ("C27", ClaimVerdict::Flips),
            ("C37", ClaimVerdict::DoesNotHold),
        ],
    );
}

#[test]
fn a_style_that_costs_what_another_does_ties_and_a_cheaper_one_flips() {
    use ClaimVerdict::{DoesNotHold, Flips, HoldsLarger, TieHere};
    expect(
        &changed(dearer("b-grpcweb", 47.0 / 28.0)),
        &[("C11", TieHere), ("C19", TieHere), ("C37", DoesNotHold)],
    );
    expect(
        &changed(dearer("L2-a-grpc", 20.0 / 47.0)),
        &[
            ("C01", Flips),
            ("C02", HoldsLarger),
            ("C04", Flips),
            ("C11", Flips),
            ("C40", DoesNotHold),
        ],
    );
}

#[test]
fn what_holds_at_full_load_and_not_at_an_equal_rate_is_no_holding() {
    expect(
        &changed(dearer("L2-a-grpc@rate=50%", 20.0 / 47.0)),
        &[("C01", ClaimVerdict::Flips), ("C04", ClaimVerdict::Flips)],
    );
}

#[test]
fn http2_that_costs_little_changes_the_claim_about_its_cost_alone() {
    expect(
        &changed(dearer(
            "L2-a-rest@driver=load,http=2,rest-h2c=on",
            34.0 / 46.0,
        )),
        &[("C04", ClaimVerdict::Flips)],
    );
}

#[test]
fn logging_that_costs_little_and_a_client_that_costs_the_same_change_their_claims_alone() {
    let quiet = |run: &mut Run| {
        if run.row == "L2-a-rest@log-level=info" {
            run.usage.server.cpu_us = run.usage.server.cpu_us.map(|cpu_us| cpu_us / 2.0);
        }
    };
    expect(&changed(quiet), &[("C45", ClaimVerdict::HoldsSmaller)]);
    let dear = |run: &mut Run| {
        if run.row == "L2-a-grpc@driver=load" {
            run.usage.client.cpu_us = run.usage.client.cpu_us.map(|cpu_us| 5.0 * cpu_us);
        }
    };
    expect(&changed(dear), &[("C08", ClaimVerdict::TieHere)]);
}

#[test]
fn a_place_that_changes_nothing_and_a_hop_for_nothing_are_seen() {
    let undisturbed = |run: &mut Run| {
        if run.row == "L2-a-rest@place=shared" {
            run.load.elapsed_s /= 2.0;
        }
    };
    expect(
        &changed(undisturbed),
        &[
            ("C09", ClaimVerdict::TieHere),
            ("C10", ClaimVerdict::TieHere),
        ],
    );
    expect(
        &changed(dearer(
            "b-graphql@graphql-batching=on,graphql-upstream=own",
            3.0,
        )),
        &[("C48", ClaimVerdict::Flips)],
    );
    let resent = |run: &mut Run| {
        if run.row == "L2-a-grpc@driver=load" {
            run.load.sent_bytes *= 4;
        }
    };
    expect(&changed(resent), &[("C15", ClaimVerdict::Flips)]);
    expect(
        &changed(dearer("b-grpc-resources", 0.2)),
        &[("C27", ClaimVerdict::Flips)],
    );
}

#[test]
fn a_long_order_made_dearer_changes_the_claim_about_long_orders_alone() {
    expect(
        &changed(dearer("L5000-a-grpc", 1.4)),
        &[("C05", ClaimVerdict::Flips)],
    );
}

#[test]
fn a_stream_that_costs_what_another_does_changes_the_claims_about_streams() {
    use ClaimVerdict::{DoesNotHold, Flips};
    expect(
        &changed(dearer("s-stream-sse", 0.25)),
        &[("C35", Flips), ("C47", Flips)],
    );
    expect(
        &changed(dearer("s-stream-grpcweb", 1.5)),
        &[("C35", DoesNotHold)],
    );
    let late = |run: &mut Run| {
        if run.row == "s-stream-grpc" {
            run.load.first_event_p50_ms = Some(20.0);
        }
    };
    expect(&changed(late), &[("C35", Flips)]);
}

#[test]
fn work_that_outlives_its_caller_changes_the_claim_about_deadlines_alone() {
    expect(
        &changed(dearer("d-deadline-grpc@rate=20", 4.0)),
        &[("C39", ClaimVerdict::TieHere)],
    );
}

#[test]
fn a_costly_query_that_disturbs_nobody_and_one_that_costs_little_change_their_claims() {
    let harmless = |run: &mut Run| {
        if run.row == "q-beside@rate=500,graphql-max-complexity=1000000" {
            run.load.latency.p95_ms /= 10.0;
        }
    };
    expect(&changed(harmless), &[("C36", ClaimVerdict::TieHere)]);
    expect(
        &changed(dearer("q-list", 47.0 / 20_000.0)),
        &[
            ("C36", ClaimVerdict::TieHere),
            ("C37", ClaimVerdict::TieHere),
        ],
    );
}
