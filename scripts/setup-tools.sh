#!/usr/bin/env bash
# Brings the prebuilt cargo plug-ins that are missing into target/tools/bin; none is built from source.
# With no plug-in for this machine, `make test` uses `cargo test`, and `make ci` says what is missing.
set -euo pipefail
cd "$(dirname "$0")/.."

tools=$PWD/target/tools
venv=$tools/venv
mkdir -p "$tools/bin"
export PATH="$tools/bin:$PATH"

for tool in "$@"; do
  if command -v "$tool" >/dev/null 2>&1; then continue; fi
  [ -x "$venv/bin/pip" ] || python3 -m venv "$venv"
  if grep -A2 "^astral-dev-toolchain-$tool==" scripts/tools.txt >"$tools/$tool.txt" &&
    "$venv/bin/pip" install --quiet --disable-pip-version-check --no-deps --require-hashes -r "$tools/$tool.txt"; then
    ln -sf "$venv/bin/$tool" "$tools/bin/$tool"
  else
    echo "There is no prebuilt $tool for this machine; install it by hand (cargo install --locked $tool)." >&2
  fi
done
