#!/usr/bin/env bash
# Installs what tests/e2e/package-lock.json pins, Node 22 included, unless it is installed already.
set -euo pipefail
cd "$(dirname "$0")/../tests/e2e"

stamp=node_modules/.installed-from
if ! cmp -s package-lock.json "$stamp"; then
  npm ci --no-audit --no-fund --ignore-scripts --loglevel=error
  cp package-lock.json "$stamp"
fi
node_modules/.bin/node --version >/dev/null || {
  echo "tests/e2e has no Node 22 for this machine: install Node 22 or newer and link it to tests/e2e/node_modules/.bin/node." >&2
  exit 1
}
