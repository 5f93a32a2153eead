#!/usr/bin/env bash
# Makes tests/e2e/.venv with what tests/e2e/requirements.txt pins, unless it is there already.
set -euo pipefail
cd "$(dirname "$0")/../tests/e2e"

stamp=.venv/.installed-from
if ! cmp -s requirements.txt "$stamp"; then
  rm -rf .venv
  python3 -m venv .venv
  .venv/bin/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.txt
  cp requirements.txt "$stamp"
fi
