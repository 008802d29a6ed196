use clap::Parser;

use super::*;

#[derive(Debug, Parser)]
struct Cli {
    #[command(flatten)]
    args: LoadArgs,
}

fn resolve(line: &str, environment: &[(&str, &str)]) -> Result<Settings, LoadError> {
    let words = std::iter::once("load").chain(line.split(' '));
    let args = Cli::try_parse_from(words).unwrap().args;
    Settings::resolve(&args, |name| {
        let found = environment.iter().find(|(key, _)| *key == name);
        found.map(|(_, value)| (*value).to_owned())
    })
}

#[test]
fn defaults_are_those_of_the_scripts() {
    let settings = resolve("k6/a-rest.js", &[]).unwrap();
    assert_eq!(settings.cell.id, "a-rest");
    assert_eq!((settings.vus, settings.lines), (20, Some(2)));
    assert_eq!(settings.model, Model::Closed);
    assert_eq!(settings.duration, Duration::from_secs(30));
    assert_eq!(settings.http_authority, "127.0.0.1:5300");
    assert_eq!(settings.grpc_authority, "127.0.0.1:5301");
    assert!(settings.workers >= 1);
    assert_eq!(settings.summary, None);
    assert_eq!(resolve("b-rest", &[("LINES", "x")]).unwrap().lines, None);
}

#[test]
fn the_command_line_goes_before_variables_and_those_before_the_environment() {
    let environment = [("DURATION", "7s"), ("LINES", "50"), ("RATE", "9")];
    let settings = resolve("a-rest.js", &environment).unwrap();
    assert_eq!(settings.duration, Duration::from_secs(7));
    assert_eq!(settings.lines, Some(50));
    assert_eq!(settings.model, Model::Open(9.0));

    let settings = resolve("a-rest.js -e DURATION=3s -e LINES=4", &environment).unwrap();
    assert_eq!(settings.duration, Duration::from_secs(3));
    assert_eq!(settings.lines, Some(4));

    let settings = resolve("a-rest.js -d 1s --rate 5", &environment).unwrap();
    assert_eq!(settings.duration, Duration::from_secs(1));
    assert_eq!(settings.model, Model::Open(5.0));

    let settings = resolve("a-rest.js -i 8", &environment).unwrap();
    assert_eq!(settings.model, Model::Iterations(8));
    assert_eq!(settings.duration, Duration::from_mins(10));
}

#[test]
fn there_are_never_more_workers_than_virtual_users() {
    assert_eq!(resolve("a-rest -u 2 --workers 8", &[]).unwrap().workers, 2);
}

#[test]
fn a_sequence_has_one_virtual_user_and_goes_before_a_rate() {
    let variables = [
        ("REPETITIONS", "50"),
        ("DROP", "5"),
        ("PAUSE", "1s"),
        ("RATE", "9"),
    ];
    let settings = resolve("a-rest -u 20 --workers 4", &variables).unwrap();
    let sequence = Sequence {
        repetitions: 50,
        drop: 5,
        pause_ms: 1_000.0,
    };
    assert_eq!(settings.model, Model::Sequence(sequence));
    assert_eq!((settings.vus, settings.workers), (1, 1));
    assert_eq!(settings.duration, Duration::from_secs(550));
    let flagged = resolve("a-rest -i 8", &variables).unwrap();
    assert_eq!(flagged.model, Model::Iterations(8));
}

#[test]
fn calls_count_where_their_number_can_be_set() {
    let calls = |script, text| resolve(script, &[("CALLS", text)]).map(|found| found.calls);
    assert_eq!(calls("b-calls-rest", "7").unwrap(), 7);
    assert_eq!(resolve("b-calls-grpc", &[]).unwrap().calls, 4);
    assert_eq!(calls("b-rest", "many").unwrap(), 4);
    for text in ["0", "51", "many"] {
        let error = calls("b-calls-rest", text).unwrap_err().to_string();
        assert!(error.contains("CALLS") && error.contains(text), "{error}");
    }
}

#[test]
fn cells_change_to_http2_where_their_client_can() {
    let http2 = |script, version| {
        let found = resolve(script, &[("HTTP_VERSION", version)]);
        found.map(|settings| settings.http2)
    };
    assert!(http2("m-get-rest", "2").unwrap() && http2("a-graphql", "2").unwrap());
    assert!(!http2("m-stream-rest", "1.1").unwrap());
    for (script, version) in [
        ("m-stream-rest", "2"),
        ("e-users-rest", "2"),
        ("a-grpc", "1.1"),
        ("m-get-rest", "3"),
    ] {
        let error = http2(script, version).unwrap_err().to_string();
        assert!(
            error.contains(&format!("HTTP_VERSION={version}")),
            "{error}"
        );
        assert!(error.contains(&format!("{script} cannot")), "{error}");
        assert!(error.contains("m-get-rest"), "{error}");
    }
}

#[test]
fn an_unknown_script_lists_the_known_ones() {
    let error = resolve("c-soap.js", &[]).unwrap_err().to_string();
    assert!(
        error.contains("c-soap.js") && error.contains("k6/b-grpcweb-http.js"),
        "{error}"
    );
}

#[test]
fn every_unusable_value_is_named() {
    for (variable, value) in [
        ("LINES", "0"),
        ("LINES", "many"),
        ("LINES", "100001"),
        ("RATE", "fast"),
        ("CONNECTION", "old"),
        ("DURATION", "long"),
        ("BASE_URL", "https://127.0.0.1"),
        ("BASE_URL", "127.0.0.1:5300"),
        ("BASE_URL", "http://host/path"),
        ("BASE_URL", "http://me@host"),
        ("GRPC_ADDR", "localhost"),
        ("GRPC_ADDR", "http://localhost:1"),
        ("REPETITIONS", "0"),
        ("DROP", "9"),
        ("PAUSE", "long"),
        ("CONNECTION", "old"),
    ] {
        let line = match variable {
            "DROP" | "PAUSE" => "a-rest -e REPETITIONS=9",
            _ => "a-rest",
        };
        let error = resolve(line, &[(variable, value)]).unwrap_err().to_string();
        assert!(error.contains(variable) && error.contains(value), "{error}");
    }
    assert!(
        resolve("a-rest -d 0s", &[])
            .unwrap_err()
            .to_string()
            .contains("--duration")
    );
    let error = resolve("a-rest --timeout 0s", &[]).unwrap_err().to_string();
    assert!(error.contains("--timeout"));
    for line in ["a-rest -d 3000000000000000h", "a-rest --timeout 9000h"] {
        let error = resolve(line, &[]).unwrap_err();
        assert!(error.is_usage());
        assert!(error.to_string().contains("at most 8760h"), "{error}");
    }
}
