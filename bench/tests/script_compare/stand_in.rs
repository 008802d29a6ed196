//! An executable in k6's place, and a comparison with it.

use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use tempfile::TempDir;

/// The executable under test.
pub const BENCH: &str = env!("CARGO_BIN_EXE_bookstore-bench");

/// Does what k6 would do, with our runner.
pub const FAITHFUL: &str = r#"exec "$BENCH" script "$@""#;

/// Two requests in each iteration, a group with checks, a metric of its own, a threshold; setup and
/// teardown that send something too.
const SCRIPT: &str = r"
import http from 'k6/http';
import { check, group } from 'k6';
import { Counter } from 'k6/metrics';

const planted = new Counter('planted_total');
const url = `${__ENV.BASE_URL}/api/reservations`;
const order = JSON.stringify({ orderId: 'order-1', lines: [{ bookId: 1, quantity: 1 }] });
const headers = { 'Content-Type': 'application/json', 'X-Own': 'a' };

export const options = { thresholds: { checks: ['rate>=0.9'] } };

export function setup() {
  return { status: http.get(`${__ENV.BASE_URL}/about`).status };
}

export default function () {
  const answer = http.post(url, order, { headers });
  group('answers', () => {
    check(answer, { 'has a status': (r) => r.status >= 200 });
  });
  http.get(`${__ENV.BASE_URL}/api/books/1`);
  planted.add(1);
}

export function teardown() {
  http.get(`${__ENV.BASE_URL}/about`);
}
";

/// What a comparison printed, and how it ended.
#[derive(Debug)]
pub struct Outcome {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Outcome {
    /// The differences, each as it is printed, without the spaces at its start.
    pub fn differences(&self) -> Vec<&str> {
        let lines = self.stdout.lines();
        let after = lines.skip_while(|line| !line.starts_with("Differences: "));
        (after.skip(1))
            .map_while(|line| line.strip_prefix("  "))
            .collect()
    }
}

/// A folder with a script and with what stands in k6's place.
pub struct Bench {
    folder: TempDir,
    pub script: PathBuf,
}

impl Bench {
    /// `run` is a piece of shell that does `k6 run SCRIPT …`; `$2` is the script.
    pub fn new(run: &str) -> Self {
        Self::with_version("k6 v2.4.0 (go1.27.0, linux/amd64)", run)
    }

    /// The same, with an answer to `k6 version`.
    pub fn with_version(version: &str, run: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("script.js");
        fs::write(&script, SCRIPT).unwrap();
        let text = format!(
            "#!/bin/sh\nBENCH='{BENCH}'\n\
             if [ \"$1\" = version ]; then echo '{version}'; exit 0; fi\n{run}\n"
        );
        let k6 = folder.path().join("k6");
        fs::write(&k6, text).unwrap();
        fs::set_permissions(&k6, fs::Permissions::from_mode(0o755)).unwrap();
        Self { folder, script }
    }

    /// Compares the script with these further flags.
    pub fn compare(&self, flags: &[&str]) -> Outcome {
        self.compare_script(&self.script, flags)
    }

    /// Compares another script.
    pub fn compare_script(&self, script: &Path, flags: &[&str]) -> Outcome {
        compare(script, &self.path("k6"), flags)
    }

    /// Starts a comparison that a test ends.
    pub fn start(&self) -> Child {
        let mut command = command(&self.script, &self.path("k6"), &[]);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().unwrap()
    }

    /// A file beside the script.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The content of a file beside the script.
    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }
}

/// Compares a script with what stands at `k6`.
pub fn compare(script: &Path, k6: &Path, flags: &[&str]) -> Outcome {
    let output = command(script, k6, flags).output().unwrap();
    Outcome {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// The command that compares.
fn command(script: &Path, k6: &Path, flags: &[&str]) -> Command {
    let mut command = Command::new(BENCH);
    command
        .args(["script", "compare"])
        .arg(script)
        .arg("--k6")
        .arg(k6)
        .args(flags)
        .env_remove("BASE_URL")
        .env_remove("GRPC_ADDR")
        .stdin(Stdio::null());
    command
}

/// Runs the script with a fault in it: `edit` is a command of sed.
pub fn edited(edit: &str) -> String {
    format!(
        r#"shift; planted="$(dirname "$0")/planted.js"; sed -e '{edit}' "$1" > "$planted"; shift
exec "$BENCH" script run "$planted" "$@""#
    )
}

/// Runs the script faithfully and then edits its `--summary-export`.
pub fn with_edited_export(edit: &str) -> String {
    format!(
        r#"found=; for word in "$@"; do
  if [ "$found" = yes ]; then export_file="$word"; found=; fi
  if [ "$word" = --summary-export ]; then found=yes; fi
done
"$BENCH" script "$@"; code=$?
sed -e '{edit}' "$export_file" > "$export_file.new" && mv "$export_file.new" "$export_file"
exit $code"#
    )
}
