//! Requests to servers that break the rules of HTTP/1.1.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream},
    path::PathBuf,
    sync::{
        Arc, Barrier,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
    thread,
};

use crate::outcome::run;

const OK: &str = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

/// What a connection does after an answer.
#[derive(PartialEq)]
enum Next {
    Request,
    Close,
}

/// Lets a server end when it is dropped.
struct End<'a> {
    ends: &'a AtomicBool,
    address: SocketAddr,
}

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.ends.store(true, SeqCst);
        // It looks after the next connection.
        let _ = TcpStream::connect(self.address);
    }
}

/// Serves until it is told to end.
fn serve(listener: &TcpListener, ends: &AtomicBool) {
    let refusal = Arc::new(Barrier::new(2));
    thread::scope(|scope| {
        for stream in listener.incoming() {
            if ends.load(SeqCst) {
                break;
            }
            let refusal = Arc::clone(&refusal);
            scope.spawn(move || connection(stream.unwrap(), &refusal));
        }
    });
}

/// Serves one connection; a client that leaves ends it.
fn connection(stream: TcpStream, refusal: &Barrier) {
    stream.set_nodelay(true).unwrap();
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut stream = stream;
    let mut is_first = true;
    while let Some((method, path)) = request(&mut reader) {
        let next = answer(&mut stream, &method, &path, is_first, refusal);
        if !matches!(next, Ok(Next::Request)) {
            break;
        }
        is_first = false;
    }
}

/// Method and path of the next request, whose body is left unread.
fn request(reader: &mut impl BufRead) -> Option<(String, String)> {
    let mut first = String::new();
    reader.read_line(&mut first).ok()?;
    let mut words = first.split(' ').map(str::to_owned);
    let request = (words.next()?, words.next()?);
    let mut line = String::new();
    while line != "\r\n" {
        line.clear();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
    }
    Some(request)
}

fn answer(
    stream: &mut TcpStream,
    method: &str,
    path: &str,
    is_first: bool,
    refusal: &Barrier,
) -> std::io::Result<Next> {
    let (text, next) = match path {
        "/ok" if method == "HEAD" => (
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n",
            Next::Request,
        ),
        "/ok" => (OK, Next::Request),
        "/chunked" => (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\
             2;odd=\"yes\"\r\nhe\r\n3 \r\nllo\r\n000\r\nTrailer: x\r\n\r\n",
            Next::Request,
        ),
        "/informed" => (
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n\
             HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
            Next::Request,
        ),
        "/until-close" => ("HTTP/1.1 200 OK\r\n\r\nhello", Next::Close),
        // It promised to stay.
        "/stale" => (OK, Next::Close),
        "/dies-when-reused" if is_first => (OK, Next::Request),
        "/dies-when-reused" => ("", Next::Close),
        "/surplus" => (
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok\
             HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nstolen",
            Next::Request,
        ),
        "/half-head" => ("HTTP/1.1 200 OK\r\nContent-Le", Next::Close),
        "/short" => (
            "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello",
            Next::Close,
        ),
        "/bad-chunk" => (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nx\r\n",
            Next::Request,
        ),
        "/two-lengths" => (
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok!",
            Next::Request,
        ),
        "/no-http" => ("SSH-2.0-OpenSSH_9.0\r\n", Next::Request),
        "/silent" => ("", Next::Request),
        "/byte-by-byte" => {
            for byte in "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello".bytes() {
                stream.write_all(&[byte])?;
            }
            ("", Next::Request)
        }
        "/endless-head" => {
            stream.write_all(b"HTTP/1.1 200 OK\r\n")?;
            loop {
                stream.write_all(b"A: b\r\n")?;
            }
        }
        "/refused" => {
            stream.write_all(b"HTTP/1.1 413 Too large\r\nContent-Length: 2\r\n\r\nno")?;
            refusal.wait();
            stream.read_to_end(&mut Vec::new())?;
            ("", Next::Close)
        }
        "/after-refusal" => {
            refusal.wait();
            (OK, Next::Request)
        }
        other => panic!("no such path: {other}"),
    };
    stream.write_all(text.as_bytes())?;
    Ok(next)
}

/// Runs the script against the server.
fn ask(address: SocketAddr) -> (u8, Vec<String>) {
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/http1/hostile.js");
    let arguments = [
        script.to_str().unwrap().to_owned(),
        format!("-eBASE_URL=http://{address}"),
    ];
    let outcome = run(&arguments, &[]);
    let errors = outcome
        .stderr
        .lines()
        .filter(|line| line.contains("instead of"));
    (outcome.exit_code, errors.map(str::to_owned).collect())
}

#[test]
fn broken_answers_are_errors_and_odd_ones_are_read() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address = listener.local_addr().unwrap();
    let ends = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| serve(&listener, &ends));
        let _end = End {
            ends: &ends,
            address,
        };
        assert_eq!(ask(address), (0, Vec::new()));
    });
}
