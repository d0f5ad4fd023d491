#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs a build, moves what was installed, and builds a foreign project against it: by find_package and by pkg-config.
#     tests/package/run.sh BUILD_FOLDER COMPILER
set -euo pipefail
build=$1
compiler=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

work=$build/package-test
rm -rf "$work"
mkdir -p "$work"
cmake --install "$build" --prefix "$work/installed" >"$work/install.log"
prefix=$work/moved # nothing installed may remember where it was
mv "$work/installed" "$prefix"

"$prefix/bin/polyrx" --version
for file in share/man/man1/polyrx.1 share/bash-completion/completions/polyrx share/zsh/site-functions/_polyrx \
    share/fish/vendor_completions.d/polyrx.fish share/doc/polyrx/LICENSE share/doc/polyrx/THIRD_PARTY_NOTICES.md; do
    [[ -s $prefix/$file ]] || { echo "$file was not installed"; exit 1; }
done

echo "through find_package"
cmake -S "$here" -B "$work/caller" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER="$compiler" \
    -DCMAKE_PREFIX_PATH="$prefix" >"$work/configure.log"
cmake --build "$work/caller"
"$work/caller/caller"

echo "through pkg-config"
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name polyrx.pc)")
export PKG_CONFIG_PATH
declare -a flags
eval "flags=($(pkg-config --cflags --libs --static polyrx))" # it quotes for a shell
"$compiler" -std=c++20 -O2 -march=native "$here/caller.cpp" -o "$work/caller-pc" "${flags[@]}" \
    -Wl,-rpath,"$(dirname "$PKG_CONFIG_PATH")"
"$work/caller-pc"
