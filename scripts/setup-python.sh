#!/usr/bin/env bash
# Makes .venv in a folder with what its requirements.txt pins, unless it is there already. Without a folder it is
# tests/e2e.
set -euo pipefail
cd "$(dirname "$0")/../${1:-tests/e2e}"

stamp=.venv/.installed-from
if ! cmp -s requirements.txt "$stamp"; then
  rm -rf .venv
  python3 -m venv .venv
  .venv/bin/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.txt
  cp requirements.txt "$stamp"
fi
