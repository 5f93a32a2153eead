#!/usr/bin/env bash
# Installs what is needed from Debian, and names what it cannot install. Nothing is touched when nothing is missing.
#   scripts/setup-debian.sh build   what it takes to build and run the server
#   scripts/setup-debian.sh bench   that, and what the baselines of the bench run on
#   scripts/setup-debian.sh test    that, and what the tests drive
set -euo pipefail

missing=()
need() { # need PACKAGE COMMAND…: the package is missing unless one of the commands is there
  local package=$1 command
  shift
  for command in "$@"; do
    if command -v "$command" >/dev/null 2>&1; then return 0; fi
  done
  missing+=("$package")
}

what=${1:-test}
need gcc cc gcc
if [ "$what" != build ]; then
  need nodejs node
  need npm npm
  need python3 python3
  python3 -c 'import ensurepip, venv' 2>/dev/null || missing+=(python3-venv)
fi
if [ "$what" = bench ]; then
  need nginx nginx /usr/sbin/nginx
  need fcgiwrap fcgiwrap /usr/sbin/fcgiwrap
fi
if [ "$what" = test ]; then
  # The tests build a library in C, run in a mount namespace of their own, and take locks as others do.
  [ -e /usr/include/linux/seccomp.h ] || missing+=(libc6-dev)
  need util-linux unshare
  need mount mount
  postgres=(/usr/lib/postgresql/*/bin/initdb)
  need postgresql initdb "${postgres[@]}"
  need chromium chromium
  need strace strace
  need openssh-client ssh-keygen
fi

if [ "${#missing[@]}" -gt 0 ]; then
  if ! command -v apt-get >/dev/null 2>&1 || [ "$(id -u)" -ne 0 ]; then
    echo "Missing: ${missing[*]}. Install these packages (on Debian, as root: apt-get install ${missing[*]}), then run this again." >&2
    exit 1
  fi
  echo "Installing from Debian: ${missing[*]}"
  # Chromium draws boxes without a font.
  case " ${missing[*]} " in *" chromium "*) missing+=(fonts-dejavu-core) ;; esac
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

command -v cargo >/dev/null 2>&1 || {
  echo "Missing: the Rust toolchain. Install Rust 1.95 or newer (rustup.rs), then run this again." >&2
  exit 1
}

# The merge and pack options that the server uses came with Git 2.43; Debian 12 ships 2.39 and has no backport.
read -r major minor < <(git --version 2>/dev/null | sed -E 's/^git version ([0-9]+)\.([0-9]+).*/\1 \2/') || true
if [ "${major:-0}" -lt 2 ] || { [ "$major" -eq 2 ] && [ "${minor:-0}" -lt 43 ]; }; then
  echo "Git 2.43 or newer is needed; found: $(git --version 2>/dev/null || echo none)." >&2
  echo "Debian 13 has 2.47 (apt-get install git). On Debian 12 build it from git-scm.com's source into /usr/local, then run this again." >&2
  exit 1
fi
