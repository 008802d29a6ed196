//! What a Markdown document shows.

/// How commands begin that a document also shows within a sentence.
const COMMANDS: [&str; 3] = ["cargo ", "k6 run ", "bookstore-bench "];

/// The command lines of all `sh` blocks, and the commands in code spans. A span with a placeholder
/// (`…` or `<…>`) is no command to try, nor is the name of a program.
pub fn shown_commands(text: &str) -> Vec<String> {
    let mut commands = Vec::new();
    let mut block: Option<bool> = None;
    let mut joined = String::new();
    for line in text.lines() {
        match (block, line.trim().strip_prefix("```")) {
            (None, Some(language)) => block = Some(language == "sh"),
            (Some(_), Some(_)) => block = None,
            (Some(true), None) => {
                let line = without_comment(line);
                if let Some(begun) = line.strip_suffix('\\') {
                    joined += begun;
                } else if !line.is_empty() || !joined.is_empty() {
                    commands.push(std::mem::take(&mut joined) + line);
                }
            }
            (Some(false), None) => {}
            (None, None) => commands.extend(spans(line).filter(|span| is_command(span))),
        }
    }
    commands
}

fn without_comment(line: &str) -> &str {
    let end = if line.starts_with('#') {
        0
    } else {
        line.find(" #").unwrap_or(line.len())
    };
    line[..end].trim()
}

fn spans(line: &str) -> impl Iterator<Item = String> {
    line.split('`').skip(1).step_by(2).map(str::to_owned)
}

fn is_command(span: &str) -> bool {
    let script = span
        .strip_prefix("scripts/")
        .is_some_and(|name| name.starts_with(|first: char| first.is_ascii_alphabetic()));
    let named = COMMANDS.iter().any(|command| span.starts_with(command));
    (script || named) && !span.contains(['…', '<'])
}

#[test]
fn blocks_and_spans_are_found_and_comments_dropped() {
    let text = "Type `scripts/test` or `k6`, not `cargo run <flags>`.\n\
                ```sh\n# first\ncargo run \\\n  -- verify   # prove\n```\n\
                ```json\ncargo\n```\n`scripts/` and `bookstore-bench doctor`\n";
    assert_eq!(
        shown_commands(text),
        [
            "scripts/test",
            "cargo run -- verify",
            "bookstore-bench doctor"
        ]
    );
}
