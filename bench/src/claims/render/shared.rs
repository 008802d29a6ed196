//! Sentences that several sessions share, said once.

/// The sentences that most lists have at each place.
pub(super) fn usual(lists: &[Vec<String>]) -> Vec<String> {
    let places = lists.iter().map(Vec::len).max().unwrap_or(0);
    (0..places)
        .filter_map(|place| {
            let all: Vec<&String> = lists.iter().filter_map(|list| list.get(place)).collect();
            let count = |one: &String| all.iter().filter(|other| **other == one).count();
            // The first of those that are equally frequent.
            let best = all.iter().rev().max_by_key(|one| count(one))?;
            Some((*best).clone())
        })
        .collect()
}

/// The sentences that several sessions share but for their numbers, with the sessions that have them and
/// the range of each number; and what is left to each session.
pub(super) fn apart(of_sessions: &[Vec<String>]) -> (Vec<String>, Vec<Vec<String>>) {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for (number, sentences) in (1..).zip(of_sessions) {
        for text in sentences {
            let form = form(text);
            match groups.iter_mut().find(|group| group.form == form) {
                Some(group) => group.members.push((number, text)),
                None => groups.push(Group {
                    form,
                    members: vec![(number, text)],
                }),
            }
        }
    }
    let (common, single): (Vec<_>, Vec<_>) = groups
        .into_iter()
        .partition(|group| group.members.len() > 1);
    let mut own = vec![Vec::new(); of_sessions.len()];
    for (number, text) in single.iter().flat_map(|group| &group.members) {
        own[number - 1].push((*text).to_owned());
    }
    let said = |group: &Group<'_>| group.said(of_sessions.len());
    (common.iter().map(said).collect(), own)
}

/// Sentences that differ in their numbers alone.
struct Group<'a> {
    form: String,
    /// Each with the number of its session.
    members: Vec<(usize, &'a str)>,
}

impl Group<'_> {
    /// `Sessions 1, 3–5: …`, with `0.7 to 1.1` where numbers differ.
    fn said(&self, of: usize) -> String {
        let mut sessions: Vec<usize> = self.members.iter().map(|(number, _)| *number).collect();
        sessions.dedup();
        let whose = if sessions.len() == of {
            "Every session".to_owned()
        } else {
            format!("Sessions {}", listed(&sessions))
        };
        let texts: Vec<&str> = self.members.iter().map(|(_, text)| *text).collect();
        format!("{whose}: {}", merged(&texts))
    }
}

/// A piece of a text: a number, or what stands between numbers.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(first_piece_bytes(rest));
        pieces.push(piece);
        rest = after;
    }
    pieces
}

/// A full stop belongs to a number when a digit follows it.
fn first_piece_bytes(text: &str) -> usize {
    let numeric = is_number(text);
    let ends = |&(at, sign): &(usize, char)| {
        let goes_on = sign == '.' && is_number(&text[at + 1..]);
        numeric != (sign.is_ascii_digit() || (numeric && goes_on))
    };
    let end = text.char_indices().find(ends);
    end.map_or(text.len(), |(at, _)| at)
}

fn is_number(piece: &str) -> bool {
    piece.starts_with(|first: char| first.is_ascii_digit())
}

/// The text with a sign in the place of each number.
fn form(text: &str) -> String {
    let sign = |piece| if is_number(piece) { "#" } else { piece };
    pieces(text).into_iter().map(sign).collect()
}

/// Texts of one form, with ranges where their numbers differ.
fn merged(texts: &[&str]) -> String {
    let all: Vec<Vec<&str>> = texts.iter().map(|text| pieces(text)).collect();
    let places = all.first().map_or(0, Vec::len);
    (0..places)
        .map(|place| range(all.iter().filter_map(|pieces| pieces.get(place).copied())))
        .collect()
}

fn range<'a>(pieces: impl Iterator<Item = &'a str>) -> String {
    let mut pieces: Vec<&str> = pieces.collect();
    let value = |piece: &str| piece.parse().unwrap_or(f64::NAN);
    pieces.sort_by(|one, other| value(one).total_cmp(&value(other)));
    match (pieces.first(), pieces.last()) {
        (Some(least), Some(most)) if least != most => format!("{least} to {most}"),
        (Some(same), _) => (*same).to_owned(),
        _ => String::new(),
    }
}

/// `1, 3–5` of rising numbers.
fn listed(numbers: &[usize]) -> String {
    let runs: Vec<String> = numbers
        .chunk_by(|one, next| one + 1 == *next)
        .filter_map(|run| Some((run.first()?, run.last()?)))
        .map(|(first, last)| match last - first {
            0 => first.to_string(),
            1 => format!("{first}, {last}"),
            _ => format!("{first}–{last}"),
        })
        .collect();
    runs.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lists(texts: &[&[&str]]) -> Vec<Vec<String>> {
        let owned = |list: &&[&str]| list.iter().map(ToString::to_string).collect();
        texts.iter().map(owned).collect()
    }

    #[test]
    fn sentences_that_differ_in_numbers_are_said_once_with_their_range() {
        let load = |average| format!("The load average is {average}: close programs.");
        let (least, middle, most) = (load("0.69"), load("1"), load("1.12"));
        let sessions = [
            &[&*least, "Cores: 2."][..],
            &["Cores: 2.", "Only here, 3 times."],
            &[&middle, "Cores: 2."],
            &[&most, "Cores: 2."],
        ];
        let (common, own) = apart(&lists(&sessions));
        assert_eq!(
            common,
            [
                "Sessions 1, 3, 4: The load average is 0.69 to 1.12: close programs.",
                "Every session: Cores: 2."
            ]
        );
        assert_eq!(own[1], ["Only here, 3 times."]);
        assert!(own[0].is_empty() && own[2].is_empty());
    }

    #[test]
    fn nothing_is_shared_by_one_session_alone() {
        let (common, own) = apart(&lists(&[&["Cores: 2."]]));
        assert_eq!((common.len(), own[0].len()), (0, 1));
    }

    #[test]
    fn the_usual_is_what_most_have_and_the_first_of_equals() {
        let all = lists(&[
            &["8 rounds", "20 VUs"],
            &["6 rounds", "20 VUs"],
            &["6 rounds", "1 VU"],
        ]);
        assert_eq!(usual(&all), ["6 rounds", "20 VUs"]);
        assert_eq!(usual(&lists(&[&["a"], &["b"]])), ["a"]);
        assert!(usual(&[]).is_empty());
    }

    #[test]
    fn session_numbers_are_listed_shortly() {
        assert_eq!(listed(&[1, 2, 3, 5, 7, 8]), "1–3, 5, 7, 8");
    }

    #[test]
    fn numbers_are_found_with_their_decimals_and_full_stops_left_alone() {
        assert_eq!(pieces("is 0.87. é 2"), ["is ", "0.87", ". é ", "2"]);
        assert_eq!(form("5 of 6."), "# of #.");
    }
}
