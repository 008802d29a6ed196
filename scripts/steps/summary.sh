# Runs named, timed steps and sums them up. Sourced.
# shellcheck shell=bash

passed=0
failed=()
times=()

aside_pid=
aside_log=$(mktemp)

# shellcheck disable=SC2317 # the trap calls it
end_aside() {
    if [[ -n $aside_pid ]]; then
        kill "$aside_pid" 2>/dev/null || true
    fi
    rm -f "$aside_log"
}
trap end_aside EXIT
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

# aside COMMAND…: runs beside the steps that follow, on what they leave of the CPU. One at a time.
aside() {
    nice "$@" >"$aside_log" 2>&1 &
    aside_pid=$!
}

# Waits for what runs aside, shows what it printed, and fails when it did. A step of its own.
join_aside() {
    local outcome=0
    wait "$aside_pid" || outcome=$?
    aside_pid=
    cat "$aside_log"
    return "$outcome"
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
