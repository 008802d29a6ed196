//! From evidence to one finding per claim.

use crate::cli::Pace;

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
    let published = Published::article();
    let evidence = Evidence {
        sessions: &record.sessions,
        checks: &record.checks,
        published: &published,
    };
    record
        .asked
        .iter()
        .filter_map(|id| claims.find(id))
        .map(|(source, claim)| finding(source, claim, &evidence, driver, &record.pace))
        .collect()
}

fn finding(
    source: &Source,
    claim: &Claim,
    evidence: &Evidence<'_>,
    driver: &str,
    pace: &str,
) -> ClaimFinding {
    let parts: Vec<PartFinding> = claim
        .parts
        .iter()
        .filter(|part| pace == Pace::Full.name() || !evidence.is_left_out(part))
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
    let verdicts: Vec<ClaimVerdict> = parts.iter().map(|part| part.verdict.clone()).collect();
    let found = together(claim.combine, &verdicts);
    let is_open = parts.is_empty() || holds(&found);
    if is_open && !claim.needs.is_empty() {
        return ClaimVerdict::NeedsScenario {
            scenarios: claim.needs.clone(),
        };
    }
    found
}
