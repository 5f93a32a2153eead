#!/bin/sh
# A PostgreSQL cluster of this checkout's own, for the tests: in target/pg, on a free port of 127.0.0.1. A test that
# does to it what the others would not like names another folder in COUNTERSIGN_PG_HOME.
#
#   scripts/pg.sh start          starts it (makes it first if there is none); does nothing when it runs
#   scripts/pg.sh env            starts it and prints the line that tells the tests where it is:
#                                eval "$(scripts/pg.sh env)"
#   scripts/pg.sh restart MODE   stops it (fast, or immediate: as a crash) and starts it on the same port
#   scripts/pg.sh stop           stops it
#   scripts/pg.sh remove         stops it and removes all of it
set -eu

root=$(cd "$(dirname "$0")/.." && pwd -P)
home=${COUNTERSIGN_PG_HOME:-$root/target/pg}

die() {
  echo "pg.sh: $*" >&2
  exit 1
}

# The newest server of Debian's packages, or the one on the path.
find_programs() {
  programs=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -t/ -k5,5nr | head -n 1)
  [ -n "$programs" ] || programs=$(dirname "$(command -v initdb || echo /none/initdb)")
  [ -x "$programs/initdb" ] && [ -x "$programs/pg_ctl" ] ||
    die "PostgreSQL is not installed; run: apt-get install postgresql"
}

# The server refuses to run as root; then the user of Debian's package runs it.
as_owner() {
  if [ "$(id -u)" = 0 ]; then
    (cd / && exec setpriv --reuid=postgres --regid="$(id -g postgres)" --clear-groups "$@")
  else
    "$@"
  fi
}

# Where the cluster is: target/pg/data, or, when that user may not go there, a folder that `place` names.
find_data() {
  mkdir -p "$home"
  if [ "$(id -u)" = 0 ] && ! id postgres >/dev/null 2>&1; then
    die "there is no user postgres to run the server; run: apt-get install postgresql"
  fi
  if [ -s "$home/place" ]; then
    data=$(cat "$home/place")
  elif as_owner test -x "$home"; then
    data=$home/data
  else
    data=$(as_owner mktemp -d --tmpdir=/var/tmp countersign-pg.XXXXXX)/data
    echo "$data" >"$home/place"
  fi
}

# A pid file may outlive its server, and its number may belong to another process by now.
running() {
  pid=$(head -n 1 "$data/postmaster.pid" 2>/dev/null) || return 1
  [ -n "$pid" ] && [ "$(readlink "/proc/$pid/cwd" 2>/dev/null)" = "$data" ]
}

make_cluster() {
  [ -f "$data/PG_VERSION" ] && return
  rm -rf "$data"
  mkdir -p "$data"
  [ "$(id -u)" != 0 ] || chown postgres: "$data"
  chmod 700 "$data"
  as_owner "$programs/initdb" -D "$data" -U postgres -A trust -E UTF8 --locale=C >"$home/initdb.log" 2>&1 || {
    rm -rf "$data"
    die "initdb failed; see $home/initdb.log"
  }
}

# The first port from $1 on that nobody listens on.
free_port() {
  port=$1
  while grep -q ":$(printf %04X "$port") 0*:0000 0A" /proc/net/tcp /proc/net/tcp6 2>/dev/null; do
    port=$((port + 1))
  done
}

start() {
  make_cluster
  running && return
  rm -f "$data/postmaster.pid"
  port=$((20000 + $$ % 10000))
  # Another checkout may take the port between the look and the start, and the children of a server that was
  # killed may need a moment to notice.
  for attempt in 1 2 3 4 5; do
    free_port "$port"
    # Descriptor 9 is the lock of this script, which the server must not keep.
    as_owner "$programs/pg_ctl" -D "$data" -l "$data/server.log" -w -t 60 \
      -o "-p $port -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=300" \
      start >/dev/null 2>&1 9>&- && return
    port=$((port + 1))
    sleep 1
  done
  tail -n 20 "$data/server.log" >&2
  die "the server does not start; its log is $data/server.log"
}

stop() {
  running || return 0
  as_owner "$programs/pg_ctl" -D "$data" -w -t 60 -m fast stop >/dev/null || die "the server does not stop"
}

# With the port and the options that it was started with.
restart() {
  as_owner "$programs/pg_ctl" -D "$data" -l "$data/server.log" -w -t 60 -m "$1" restart >/dev/null 2>&1 9>&- ||
    die "the server does not start again; its log is $data/server.log"
}

remove() {
  stop
  rm -rf "$data"
  [ ! -s "$home/place" ] || rm -rf "$(dirname "$data")"
  rm -rf "$home"
}

find_programs
find_data
exec 9>"$home/lock"
flock 9
case ${1:-} in
start) start ;;
stop) stop ;;
restart) restart "${2:-fast}" ;;
remove) remove ;;
env)
  start
  echo "export COUNTERSIGN_TEST_PG=postgres://postgres@127.0.0.1:$(sed -n 4p "$data/postmaster.pid")/postgres"
  ;;
*) die "say start, env, restart, stop or remove" ;;
esac
