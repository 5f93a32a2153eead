#!/usr/bin/env bash
# Installs what the package-lock.json of a folder pins, unless it is installed already. Without a folder it is
# tests/e2e, which holds the Node 22 for all of them.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root/${1:-tests/e2e}"

stamp=node_modules/.installed-from
if ! cmp -s package-lock.json "$stamp"; then
  # Not `npm ci`: it refuses a lock in which an optional package is missing that no registry has (one of vite's).
  rm -rf node_modules
  npm install --no-save --no-audit --no-fund --ignore-scripts --loglevel=error
  cp package-lock.json "$stamp"
fi
"$root/tests/e2e/node_modules/.bin/node" --version >/dev/null || {
  echo "tests/e2e has no Node 22 for this machine: install Node 22 or newer and link it to tests/e2e/node_modules/.bin/node." >&2
  exit 1
}
