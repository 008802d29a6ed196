#!/usr/bin/env bash
# Judges the REST adapter by its own OpenAPI document with schemathesis
# (https://schemathesis.io, PyPI `schemathesis`): no server error, no undocumented answer.
#
#   scripts/suites/schemathesis.sh http://127.0.0.1:5300 [OPTIONS]
#
# VENV: a Python virtual environment that has schemathesis, when it is not on PATH.
# The seed and the number of examples are fixed: about 15 seconds, one minute at most.
set -euo pipefail

if [[ $# -lt 1 ]]; then
  echo "usage: $0 BASE_URL [OPTIONS OF SCHEMATHESIS], for example $0 http://127.0.0.1:5300" >&2
  exit 2
fi
base_url=${1%/}
shift

if ! schemathesis=$(command -v "${VENV:+$VENV/bin/}schemathesis"); then
  echo "${VENV:+$VENV/bin/}schemathesis is not there: pip install schemathesis," \
    "or set VENV to a virtual environment that has it" >&2
  exit 2
fi
schemathesis=$(realpath --no-symlinks "$schemathesis")

config=$(realpath "$(dirname "$0")/schemathesis.toml")

checks=(
  not_a_server_error
  status_code_conformance
  content_type_conformance
  response_headers_conformance
  response_schema_conformance
  # Bad data is refused, good data accepted.
  negative_data_rejection
  positive_data_acceptance
  missing_required_header
  # 405 with a true Allow header for every other method.
  unsupported_method
  allow_header_conformance
)

# Run apart from the checkout: schemathesis keeps failures where it runs.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

timeout 120 "$schemathesis" --config-file "$config" run "$base_url/openapi.json" \
  --checks "$(IFS=,; echo "${checks[*]}")" \
  --phases examples,coverage,fuzzing,stateful \
  --max-examples 50 \
  --seed 20260105 \
  --generation-database none \
  --request-timeout 10 \
  --wait-for-schema 10 \
  --no-color \
  "$@"
