# Runs named, timed steps and sums them up. Sourced.
# shellcheck shell=bash

passed=0
failed=()
times=()

trap 'exit 130' INT

# step NAME COMMAND…
step() {
    local name=$1 started=$SECONDS outcome
    shift
    printf '\n=== %s\n' "$name"
    if "$@"; then
        passed=$((passed + 1))
        outcome=passed
    else
        failed+=("$name")
        outcome=FAILED
    fi
    times+=("$(printf '%-6s %5d s  %s' "$outcome" $((SECONDS - started)) "$name")")
}

# Prints the outcome of all steps; fails when one did or when there was none.
summary() {
    printf '\n=== summary, %d s\n' "$SECONDS"
    printf '%s\n' "${times[@]}"
    local name
    for name in "${failed[@]}"; do
        echo "failed: $name"
    done
    echo "$passed passed, ${#failed[@]} failed"
    ((${#failed[@]} == 0 && passed > 0))
}
