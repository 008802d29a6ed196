#!/bin/sh
# Stands in for the server. `--fake MODE` says how it behaves, `--about PORT` where the test itself
# answers `GET /about`; the other arguments are the wrapper's own.
mode=''
about=''
while [ $# -gt 0 ]; do
    case $1 in
    --fake) mode=$2 ;;
    --about) about=$2 ;;
    esac
    shift
done

listen() {
    echo "listening on http://127.0.0.1:$about (HTTP/1.1: REST, GraphQL, gRPC-Web)"
    echo "listening on http://127.0.0.1:9 (h2c: gRPC, gRPC-Web)"
}

case $mode in
lives)
    listen
    exec sleep 600
    ;;
dies-at-once)
    echo "first message" >&2
    echo "cannot read the books" >&2
    exit 3
    ;;
is-silent)
    echo "still thinking" >&2
    exec sleep 600
    ;;
closes-its-output)
    exec sleep 600 >/dev/null
    ;;
prints-garbage)
    echo "Welcome to another program"
    exec sleep 600
    ;;
ignores-sigterm)
    trap '' TERM
    listen
    exec sleep 600
    ;;
dies-later)
    # The message is out before the test can kill it.
    echo "about to die" >&2
    listen
    exec sleep 600
    ;;
*)
    echo "unknown mode $mode" >&2
    exit 64
    ;;
esac
