//! Names and codes of landings, from our own syllables.

use crate::expenses::generator::random::Random;

const SYLLABLES: [&str; 24] = [
    "ka", "lo", "mi", "ra", "ven", "tu", "sol", "ne", "par", "dor", "hal", "is", "bro", "ta",
    "quen", "el", "mar", "o", "rin", "sa", "ul", "bek", "fo", "gan",
];
/// Codes that two thirds of the records have.
const USUAL_CLASSES: [&str; 8] = ["L6", "H5", "L5", "H6", "H4", "LL6", "LL5", "L4"];
/// Beginnings of the others.
const RARE_CLASSES: [&str; 24] = [
    "CM", "CV", "CI", "CO", "EH", "EL", "IAB", "IIAB", "IIE", "IIIAB", "IIIE", "IVA", "IVB", "Ur",
    "Di", "Eu", "How", "Au", "Pal", "Mes", "LL", "H", "L", "K",
];

/// One word or two, now and then with a letter that takes two bytes.
pub fn name(random: &mut Random) -> String {
    let two_words = random.below(100) < 18;
    let syllables = 2 + random.below(3);
    let mut name = word(random, syllables);
    if two_words {
        name.push(' ');
        name.push_str(&word(random, 2));
    }
    if random.below(100) < 5 {
        name.push('ö');
    }
    name
}

fn word(random: &mut Random, syllables: u32) -> String {
    let mut word: String = (0..syllables)
        .filter_map(|_| random.pick(&SYLLABLES).copied())
        .collect();
    if let Some(first) = word.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    word
}

/// A code such as `L6` or `IIAB3-an`.
pub fn class(random: &mut Random) -> String {
    if random.below(3) < 2 {
        return random
            .pick(&USUAL_CLASSES)
            .copied()
            .unwrap_or_default()
            .to_owned();
    }
    let beginning = random.pick(&RARE_CLASSES).copied().unwrap_or_default();
    let number = 2 + random.below(5);
    let ending = if random.below(4) == 0 { "-an" } else { "" };
    format!("{beginning}{number}{ending}")
}
