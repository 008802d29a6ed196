//! `verify` says of every cell what it did.

use bookstore_bench::catalogue::Catalogue;

use crate::sitting::wrapper;

#[test]
fn every_cell_is_named_with_what_was_compared_and_what_its_client_did() {
    let output = wrapper().arg("verify").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{error}");
    for cell in Catalogue::built_in().cells {
        let mut lines = text.lines().map(str::split_whitespace);
        let line = lines.find_map(|mut words| (words.next() == Some(&cell.id)).then_some(words));
        let words: Vec<&str> = line
            .unwrap_or_else(|| panic!("{} in\n{text}", cell.id))
            .collect();
        let [compared @ .., requests, _, received] = &words[..] else {
            panic!("{}: {words:?}", cell.id);
        };
        if cell.connections_per_vu == 0 {
            assert_eq!((compared, *requests), (&["sends", "nothing"][..], "0"));
            continue;
        }
        if cell.scenario == "q.cost" {
            assert_eq!(compared, ["no", "other", "style", "has", "it"]);
        } else {
            assert!(
                compared[0].parse::<u32>().is_ok_and(|count| count > 0),
                "{words:?}"
            );
        }
        assert_ne!(*requests, "0", "{}", cell.id);
        let gives_up = cell.scenario == "d.deadline";
        assert_eq!(*received == "0", gives_up, "{}: {words:?}", cell.id);
    }
    assert!(
        text.contains("answers compared, all styles agree"),
        "{text}"
    );
}
