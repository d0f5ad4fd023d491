#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Times builds from nothing, without ccache: of the program, as `./dev demo` builds it, and of everything, as `./dev test`
# does. Other work on the machine adds less to CPU time (user + system) than to wall time, but it adds some.
#     bench/macro/build_time.sh [--output FILE] [PRESET ...]    # release and plain if none is named
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
export CCACHE_DISABLE=1

output=/dev/null
if [[ ${1-} == --output ]]; then
    output=$(realpath "$2")
    shift 2
fi
presets=("$@")
[[ ${#presets[@]} == 0 ]] && presets=(release plain)

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Sets wall and cpu to the seconds that a command takes, its children included.
timed() {
    local TIMEFORMAT='%R %U %S' user system
    if ! { time "$@" >"$folder/log" 2>&1 </dev/null; } 2>"$folder/seconds"; then
        cat "$folder/log" >&2
        exit 1
    fi
    read -r wall user system <"$folder/seconds"
    cpu=$(python3 -c "print($user + $system)")
}

{
    read -r load _ </proc/loadavg
    echo "builds from nothing, without ccache; load $load on $(getconf _NPROCESSORS_ONLN) cores before"
    printf '%-10s%-14s%8s%8s%12s\n' preset target 'CPU s' 'wall s' 'commands'
    for preset in "${presets[@]}"; do
        build=$folder/$preset
        timed cmake --preset "$preset" -B "$build"
        all_cpu=$cpu all_wall=$wall
        for target in polyrx_cli all; do
            timed cmake --build "$build" --target "$target" -j "$(getconf _NPROCESSORS_ONLN)"
            all_cpu=$(python3 -c "print($all_cpu + $cpu)")
            all_wall=$(python3 -c "print($all_wall + $wall)")
            commands=$(grep -c '\.o	' "$build/.ninja_log")
            printf '%-10s%-14s%8.0f%8.0f%12d\n' "$preset" "$target" "$all_cpu" "$all_wall" "$commands"
        done
        rm -rf "$build"
    done
} | tee "$output"
