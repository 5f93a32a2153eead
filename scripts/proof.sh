#!/usr/bin/env bash
# Runs the tests named `proof_…` with full trials and writes what each says of itself to docs/proof.md.
# A proof prints one line, `proof: WHAT: FIGURES`; one that fails leaves the last document as it was.
set -euo pipefail
cd "$(dirname "$0")/.."

log=target/proof.log
mkdir -p target
cargo nextest --version >/dev/null 2>&1 || {
  echo "Missing: cargo-nextest. Run scripts/setup-tools.sh cargo-nextest." >&2
  exit 1
}
[ -z "$(git status --porcelain --untracked-files=no)" ] || {
  echo "Commit first: a proof is of a commit." >&2
  exit 1
}
commit=$(git rev-parse --short=12 HEAD)
cargo nextest run --workspace --profile make --success-output final --color never \
  -E 'test(/(^|::)proof_/) | binary(/^proof_/)' 2>&1 | tee "$log"

{
  echo "# The last proof"
  echo
  echo "By \`make proof\`: the races and crashes with full trials. Written on $(date -u +%Y-%m-%d) of commit"
  echo "\`$commit\`, on $(nproc) cores, $(git --version), $(rustc --version | cut -d' ' -f1-2)."
  echo
  echo "| what | figures |"
  echo "|---|---|"
  sed -nE 's/^ *proof: ([^:]+): (.*)$/| \1 | \2 |/p' "$log" | sort -u
} >docs/proof.md
cat docs/proof.md
