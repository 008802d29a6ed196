//! Titles and descriptions of expenses, from our own short lists of words.

use super::random::Random;

/// Characters of a description: at least, and how many lengths there are from there on.
const SHORTEST_DESCRIPTION: u32 = 94;
const DESCRIPTION_LENGTHS: u32 = 31;

const QUALITIES: [&str; 16] = [
    "cheap", "fresh", "shared", "weekly", "monthly", "second", "small", "spare", "used", "winter",
    "green", "heavy", "local", "new", "quiet", "simple",
];
const THINGS: [&str; 24] = [
    "bread",
    "candles",
    "cheese",
    "cloths",
    "coffee",
    "curtains",
    "dish soap",
    "firewood",
    "flour",
    "tools",
    "broom",
    "kettle",
    "lamp",
    "bulbs",
    "milk",
    "paint",
    "potatoes",
    "power bill",
    "rent share",
    "rice",
    "sauna wood",
    "shelf",
    "towels",
    "water bill",
];
const PLACES: [&str; 16] = [
    "for the hall",
    "to cook",
    "for guests",
    "for us all",
    "for the yard",
    "for Friday",
    "to store",
    "for May",
    "for June",
    "for a trip",
    "for a friend",
    "for a party",
    "on sale",
    "for later",
    "for autumn",
    "for spring",
];
const PROSE: [&str; 40] = [
    "we", "all", "agreed", "to", "split", "this", "evenly", "before", "the", "end", "of", "month",
    "receipt", "is", "on", "fridge", "door", "paid", "in", "cash", "because", "card", "reader",
    "was", "broken", "and", "shop", "had", "a", "discount", "until", "Sunday", "there", "some",
    "left", "over", "please", "tell", "me", "soon",
];

/// Names of tags, sorted, and all of one length so that lists grow evenly.
pub const TAGS: [&str; 12] = [
    "bills", "cabin", "decor", "foods", "gifts", "goods", "house", "other", "party", "sport",
    "trips", "yards",
];

/// About 24 characters.
pub fn title(random: &mut Random) -> String {
    let mut words = |from: &[&'static str]| random.pick(from).copied().unwrap_or_default();
    let (quality, thing, place) = (words(&QUALITIES), words(&THINGS), words(&PLACES));
    format!("{quality} {thing} {place}")
}

/// A thing that can be paid for.
pub fn thing(random: &mut Random) -> &'static str {
    random.pick(&THINGS).copied().unwrap_or_default()
}

/// 94 to 124 characters, words and a full stop.
pub fn description(random: &mut Random) -> String {
    let length = SHORTEST_DESCRIPTION + random.below(DESCRIPTION_LENGTHS);
    let length = usize::try_from(length).unwrap_or_default();
    let mut text = String::with_capacity(length);
    loop {
        let word = random.pick(&PROSE).copied().unwrap_or("and");
        if text.len() + 1 + word.len() >= length {
            break;
        }
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(word);
    }
    // What no word fits into is filled up, so that the length is the one that was drawn.
    text.extend(std::iter::repeat_n('.', length.saturating_sub(text.len())));
    text
}
