//! The subcommand as a person meets it.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{SocketAddr, TcpListener, TcpStream},
    process::{Command, Stdio},
};

fn relay(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bookstore-bench"));
    command.arg("relay").args(arguments);
    command
}

#[test]
fn it_prints_its_port_and_ends_cleanly_when_asked() {
    for signal in ["INT", "TERM"] {
        let server = TcpListener::bind("127.0.0.1:0").unwrap();
        let to = server.local_addr().unwrap().to_string();
        let mut process = relay(&["--to", &to, "--delay", "2ms", "--rate", "20Mbit/s"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut output = BufReader::new(process.stdout.take().unwrap());
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        let address = line
            .strip_prefix("relaying ")
            .and_then(|rest| rest.split_once(' '))
            .map(|(address, _)| address.parse::<SocketAddr>().unwrap());
        assert!(line.ends_with(&format!(" to {to}\n")), "{line}");

        let mut client = TcpStream::connect(address.unwrap()).unwrap();
        client.write_all(b"hello").unwrap();
        let mut heard = [0; 5];
        server.accept().unwrap().0.read_exact(&mut heard).unwrap();
        assert_eq!(&heard, b"hello");

        let id = process.id().to_string();
        let sent = Command::new("kill").args(["-s", signal, &id]).status();
        assert!(sent.unwrap().success());
        assert_eq!(process.wait().unwrap().code(), Some(0), "{signal}");
        line.clear();
        output.read_to_string(&mut line).unwrap();
        assert!(
            line.starts_with("1 connection (0 failed), 5 bytes up, 0 bytes down; half was late"),
            "{line}"
        );
    }
}

#[test]
fn what_cannot_be_done_is_said_with_its_exit_code() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = taken.local_addr().unwrap().to_string();
    for (arguments, code, words) in [
        (vec![], 2, "--to is missing"),
        (vec!["--to", "nowhere"], 2, "for example 127.0.0.1:5300"),
        (vec!["--to", &taken, "--listen", &taken], 2, "are both"),
        (
            vec!["--to", "127.0.0.1:1", "--listen", &taken],
            1,
            "cannot listen on",
        ),
        (vec!["--check", "--rate", "1Mbit/s"], 2, "cannot be used"),
    ] {
        let output = relay(&arguments).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {stderr}");
        assert!(stderr.contains(words), "{arguments:?}: {stderr}");
    }
}
