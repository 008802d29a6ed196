//! How the landings are made up.
//!
//! Lengths and shares follow those of the public records, so that the lists have the published sizes; a
//! test holds both.

use jiff::civil::date;

use super::{Landing, Place, names};
use crate::{domain::Timestamp, expenses::generator::random::Random};

const SEED: u64 = 0x5eed;
/// The ids of 1,000 records reach about 57,000.
const WIDEST_GAP: u32 = 113;

/// Masses in grams by tenths of the records: half weigh less than 2,900 g.
const MASSES_G: [(u32, u32); 10] = [
    (1, 150),
    (150, 500),
    (500, 1_000),
    (1_000, 1_800),
    (1_800, 2_900),
    (2_900, 5_000),
    (5_000, 9_000),
    (9_000, 18_000),
    (18_000, 44_000),
    (44_000, 4_000_000),
];
/// What a degree is divided into, as it is known for some places better than for others.
const PRECISIONS: [u32; 10] = [
    1, 10, 100, 100, 1_000, 100_000, 100_000, 100_000, 100_000, 100_000,
];
/// The years before 1970, by eighths of the records.
const EARLY_YEARS: [(i16, i16); 8] = [
    (861, 1800),
    (1800, 1860),
    (1860, 1890),
    (1890, 1910),
    (1910, 1930),
    (1930, 1940),
    (1940, 1955),
    (1955, 1970),
];
const LATE_YEARS: (u32, i16) = (44, 1970);

/// Always the same; fewer are the first of more.
pub fn generate(count: usize) -> Vec<Landing> {
    let mut random = Random::new(SEED);
    let mut id = 0;
    let mut next = || {
        id += 1 + random.below(WIDEST_GAP);
        landing(&mut random, id)
    };
    (0..count).map(|_| next()).collect()
}

fn landing(random: &mut Random, id: u32) -> Landing {
    Landing {
        id,
        name: names::name(random),
        fall: if random.below(250) == 0 {
            "Found"
        } else {
            "Fell"
        },
        place: (!one_in_thousand(random, 12)).then(|| Place {
            latitude: degrees(random, 90),
            longitude: degrees(random, 180),
        }),
        mass_g: (!one_in_thousand(random, 28)).then(|| mass_g(random)),
        name_type: "Valid",
        class: names::class(random),
        year: (!one_in_thousand(random, 1)).then(|| first_moment_of(year(random))),
    }
}

/// So many of a thousand.
fn one_in_thousand(random: &mut Random, times: u32) -> bool {
    random.below(1_000) < times
}

fn degrees(random: &mut Random, most: u32) -> f64 {
    let parts = random.pick(&PRECISIONS).copied().unwrap_or(1);
    let most = most * parts;
    (f64::from(random.below(2 * most)) - f64::from(most)) / f64::from(parts)
}

fn mass_g(random: &mut Random) -> f64 {
    let (from, to) = random.pick(&MASSES_G).copied().unwrap_or((1, 2));
    let whole = f64::from(from + random.below(to - from));
    let is_whole = random.below(100) < 92;
    if is_whole { whole } else { whole + 0.5 }
}

fn year(random: &mut Random) -> i16 {
    let within = |random: &mut Random, span: u32, from: i16| {
        from + i16::try_from(random.below(span)).unwrap_or(0)
    };
    if random.below(100) < 22 {
        let (span, from) = LATE_YEARS;
        return within(random, span, from);
    }
    let (from, to) = random.pick(&EARLY_YEARS).copied().unwrap_or((1900, 1970));
    within(random, u32::from((to - from).unsigned_abs()), from)
}

fn first_moment_of(year: i16) -> Timestamp {
    let days = date(year, 1, 1).duration_since(date(1970, 1, 1));
    Timestamp {
        seconds: days.as_secs(),
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    /// The value below which so many of a hundred values lie.
    fn percentile(mut values: Vec<f64>, percent: usize) -> f64 {
        values.sort_by(f64::total_cmp);
        values[values.len() * percent / 100]
    }

    #[test]
    fn the_landings_have_the_shares_and_lengths_of_the_public_ones() {
        let landings = generate(1_000);
        assert_eq!((landings.len(), &landings), (1_000, &generate(1_000)));
        assert_eq!(landings[..], generate(1_500)[..1_000]);
        assert!(landings.windows(2).all(|pair| pair[0].id < pair[1].id));
        assert!((50_000..65_000).contains(&landings[999].id));
        let bytes = |text: fn(&Landing) -> &str| -> f64 {
            let total: usize = landings.iter().map(|landing| text(landing).len()).sum();
            total as f64 / 1_000.0
        };
        assert!((8.0..9.5).contains(&bytes(|landing| &landing.name)));
        assert!((3.3..4.3).contains(&bytes(|landing| &landing.class)));
        let share =
            |is: fn(&Landing) -> bool| landings.iter().filter(|landing| is(landing)).count();
        assert!((120..240).contains(&share(|landing| landing.name.contains(' '))));
        assert!((30..75).contains(&share(|landing| !landing.name.is_ascii())));
        assert!((990..1_000).contains(&share(|landing| landing.fall == "Fell")));
        assert!((5..25).contains(&share(|landing| landing.place.is_none())));
        assert!((12..45).contains(&share(|landing| landing.mass_g.is_none())));
        let early = |landing: &Landing| landing.year.is_some_and(|year| year.seconds < 0);
        assert!((740..820).contains(&share(early)));
        let masses: Vec<f64> = landings
            .iter()
            .filter_map(|landing| landing.mass_g)
            .collect();
        assert!((2_000.0..5_000.0).contains(&percentile(masses, 50)));
        let years = landings.iter().filter_map(|landing| landing.year);
        let texts: Vec<String> = years.map(|year| year.to_string()).collect();
        assert!(texts.iter().all(|text| text.ends_with("-01-01T00:00:00Z")));
        let first = texts.iter().min().unwrap();
        assert!(
            first.as_str() > "0861" && first.as_str() < "1000",
            "{first}"
        );
    }
}
