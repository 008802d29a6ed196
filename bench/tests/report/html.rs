//! The HTML report: size, form, independence.

use bookstore_bench::{record::Session, report::html};

use crate::golden;

/// The file's limit.
const MAX_BYTES: usize = 300_000;

#[test]
fn every_page_is_small_closed_and_offline() {
    for (name, _) in golden::SESSIONS {
        let page = html::render(&golden::read(name));
        assert!(page.len() < MAX_BYTES, "{name}: {} bytes", page.len());
        assert_eq!(unclosed(&page), [""; 0], "{name}");
        for outside in ["http:", "https:", " src=", " href=", "@import", "url("] {
            assert!(!page.contains(outside), "{name} has {outside}");
        }
        for odd in ["NaN", "inf\"", "undefined"] {
            assert!(!page.contains(odd), "{name} has {odd}");
        }
    }
}

#[test]
fn the_page_stays_small_however_long_the_session() {
    let mut session = golden::read("session");
    let runs = session.runs.clone();
    for again in 1..60 {
        session.runs.extend(runs.iter().cloned().map(|mut run| {
            run.round += again * 8;
            run
        }));
    }
    let page = html::render(&session);
    assert!(page.len() < MAX_BYTES, "{} bytes", page.len());
    assert_eq!(unclosed(&page), [""; 0]);
}

#[test]
fn the_page_carries_the_session_even_with_hostile_text() {
    let mut session = golden::read("troubled");
    session.command = "</script><script>alert(1)</script> <!-- & \" '".to_owned();
    session.rows[0].label = "<b>REST</b>".to_owned();
    let page = html::render(&session);
    assert!(!page.contains("<script>alert"));
    assert!(!page.contains("<b>"));
    assert_eq!(unclosed(&page), [""; 0]);

    let start = page.find("type=\"application/json\">").unwrap();
    let json = &page[start..];
    let json = &json[json.find('>').unwrap() + 1..json.find("</script>").unwrap()];
    let carried: Session = serde_json::from_str(json).unwrap();
    assert_eq!(carried, session);
}

#[test]
fn an_empty_session_still_renders() {
    let mut session = golden::read("partial");
    session.runs.clear();
    session.analysis = bookstore_bench::record::Analysis::default();
    let page = html::render(&session);
    assert_eq!(unclosed(&page), [""; 0]);
    assert!(page.contains("0 of 88 planned runs"));
}

/// Elements that are never closed, or closed where another is open.
fn unclosed(page: &str) -> Vec<String> {
    let mut open: Vec<&str> = Vec::new();
    let mut wrong = Vec::new();
    let mut rest = page;
    while let Some(start) = rest.find('<') {
        rest = &rest[start + 1..];
        let end = rest.find('>').unwrap();
        let tag = &rest[..end];
        rest = &rest[end + 1..];
        let name = tag
            .trim_start_matches('/')
            .split([' ', '\n'])
            .next()
            .unwrap();
        if tag.starts_with('!') || ["meta", "br"].contains(&name) {
            continue;
        }
        if tag.starts_with('/') {
            if open.pop() != Some(name) {
                wrong.push(tag.to_owned());
            }
        } else {
            open.push(name);
        }
        if ["style", "script"].contains(&name) && !tag.starts_with('/') {
            rest = &rest[rest.find(&format!("</{name}>")).unwrap()..];
        }
    }
    wrong.extend(open.into_iter().map(str::to_owned));
    wrong
}
