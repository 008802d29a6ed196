//! From evidence to one finding per claim.

use std::collections::BTreeMap;

use super::{
    catalogue::{Claim, Claims, Source},
    evidence::Evidence,
    published::Published,
    together::{holds, together},
};
use crate::record::{ClaimFinding, ClaimVerdict, ClaimsRecord, PartFinding};

/// One finding for each claim that the record asks for, from what it holds so far.
#[must_use]
pub fn findings(claims: &Claims, record: &ClaimsRecord, driver: &str) -> Vec<ClaimFinding> {
    let sources = claims.sources.iter();
    let published: BTreeMap<&str, Published> = sources
        .map(|source| (&*source.id, Published::of(&source.id)))
        .collect();
    record
        .asked
        .iter()
        .filter_map(|id| claims.find(id))
        .map(|(source, claim)| {
            let evidence = Evidence {
                sessions: &record.sessions,
                checks: &record.checks,
                published: &published[&*source.id],
            };
            finding(source, claim, &evidence, driver)
        })
        .collect()
}

fn finding(source: &Source, claim: &Claim, evidence: &Evidence<'_>, driver: &str) -> ClaimFinding {
    let parts: Vec<PartFinding> = claim
        .parts
        .iter()
        .map(|part| evidence.judge(part))
        .collect();
    ClaimFinding {
        id: claim.id.clone(),
        source: source.id.clone(),
        place: claim.place.clone(),
        claim: claim.claim.clone(),
        verdict: verdict(claim, &parts, driver),
        parts,
    }
}

/// The parts decide. Where they do not speak against the claim, a scenario that is missing leaves it
/// open all the same.
fn verdict(claim: &Claim, parts: &[PartFinding], driver: &str) -> ClaimVerdict {
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
    let verdicts: Vec<ClaimVerdict> = parts
        .iter()
        .map(|part| part.verdict.clone())
        .filter(|verdict| *verdict != ClaimVerdict::Beside)
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
