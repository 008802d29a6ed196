//! From evidence to one finding per claim.

use std::collections::BTreeMap;

use super::{
    catalogue::{Claim, Claims, Part, Source},
    evidence::Evidence,
    published::Published,
    together::{holds, together},
};
use crate::{
    cli::Pace,
    record::{ClaimFinding, ClaimVerdict, ClaimsRecord, PartFinding},
};

/// One finding for each claim that the record asks for, from what it holds so far.
#[must_use]
pub fn findings(claims: &Claims, record: &ClaimsRecord, driver: &str) -> Vec<ClaimFinding> {
    let sources = claims.sources.iter();
    let published: BTreeMap<&str, Published> = sources
        .map(|source| (&*source.id, Published::of(&source.id)))
        .collect();
    let is_full = record.pace == Pace::Full.name();
    let pace = if is_full { Pace::Full } else { Pace::Quick };
    record
        .asked
        .iter()
        .filter_map(|id| claims.find(id))
        .map(|(source, claim)| {
            let evidence = Evidence {
                sessions: &record.sessions,
                left_out: &record.left_out,
                checks: &record.checks,
                published: &published[&*source.id],
            };
            let mut finding = finding(source, claim, &evidence, driver, pace);
            let machine = &record.machine;
            if let Some(obstacle) = claim.obstacle(&machine.os, machine.logical_cores) {
                finding.verdict = ClaimVerdict::NotMeasurable {
                    reason: obstacle.to_string(),
                };
            }
            finding
        })
        .collect()
}

fn finding(
    source: &Source,
    claim: &Claim,
    evidence: &Evidence<'_>,
    driver: &str,
    pace: Pace,
) -> ClaimFinding {
    let counted = claim.parts.iter().filter(|part| part.counts_at(pace));
    let counted: Vec<&Part> = counted.collect();
    let parts: Vec<PartFinding> = counted.iter().map(|part| evidence.judge(part)).collect();
    ClaimFinding {
        id: claim.id.clone(),
        source: source.id.clone(),
        place: claim.place.clone(),
        claim: claim.claim.clone(),
        verdict: verdict(claim, &counted, &parts, driver),
        parts,
    }
}

/// The parts decide. Where they do not speak against the claim, a scenario that is missing leaves it
/// open all the same.
fn verdict(claim: &Claim, counted: &[&Part], parts: &[PartFinding], driver: &str) -> ClaimVerdict {
    if let Some(reason) = &claim.not_measurable {
        return ClaimVerdict::NotMeasurable {
            reason: reason.clone(),
        };
    }
    if !claim.suits(driver) {
        let suited: Vec<&str> = claim.drivers.iter().map(|driver| driver.name()).collect();
        return ClaimVerdict::NotMeasurable {
            reason: format!(
                "the driver {driver} has nothing to say about it; measure with --driver {}",
                suited.join(" or ")
            ),
        };
    }
    let verdicts: Vec<ClaimVerdict> = counted
        .iter()
        .zip(parts)
        .filter(|(part, _)| part.is_claimed())
        .map(|(_, finding)| finding.verdict.clone())
        .collect();
    let found = together(claim.combine, &verdicts);
    let is_open = parts.is_empty() || holds(&found);
    if is_open && !claim.needs.is_empty() {
        return ClaimVerdict::NeedsScenario {
            scenarios: claim.needs.clone(),
        };
    }
    found
}
