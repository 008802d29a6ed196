#!/usr/bin/env bash
# Builds target/k6: k6 with the gRPC-Web extension, on your own machine. This fetches k6, which is under
# the AGPL-3.0; a binary that holds it is a combined work under that licence, whatever the extension's is.
# Neither the tests nor the continuous integration of this repository run it.
#
#   scripts/build-k6.sh            # the k6 version that the extension asks for
#   scripts/build-k6.sh v2.3.0     # another one
#
# Needs Go and xk6: go install go.k6.io/xk6/cmd/xk6@latest
set -euo pipefail
cd "$(dirname "$0")/.."

module=github.com/bookstore-bench/xk6-grpcweb
version=${1:-$(sed -n 's/^[[:space:]]*go\.k6\.io\/k6\/v2 //p' xk6-grpcweb/go.mod)}

for tool in go xk6; do
  if ! command -v "$tool" >/dev/null; then
    echo "scripts/build-k6.sh: $tool is missing; install Go, and then: go install go.k6.io/xk6/cmd/xk6@latest" >&2
    exit 1
  fi
done

mkdir -p target
xk6 build "$version" --with "$module=$PWD/xk6-grpcweb" --output target/k6
target/k6 version
echo "Try it: target/k6 run xk6-grpcweb/smoke.js"
