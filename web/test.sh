#!/usr/bin/env bash
# Runs the tests of this module and of another one at the same time: a line for each package, the output of failed and skipped tests,
# and the numbers at the end. The arguments are gotestsum with its version, the folder of the other module, and flags of go test.
#
#   web/test.sh gotest.tools/gotestsum@v1.13.0 engine/oracle/conformance -timeout 40m
set -uo pipefail
runner=$1
events=$(mktemp -d)
trap 'rm -rf "$events"' EXIT

# both prints the events of both modules: those of the other one after its last test, because two writers would mix up their lines. The
# browser's tests come first: they take the longest and often wait, so whatever runs beside them takes no time of its own.
both() {
  local events=$1 other=$2 failed=0
  shift 2
  (cd "$other" && go test -json "$@" ./...) >"$events/other" &
  go test -json "$@" ./web/browser ./... || failed=1
  wait $! || failed=1
  cat "$events/other"
  return $failed
}
export -f both

go run "$runner" --format pkgname --jsonfile "$events/all" --raw-command -- bash -c 'both "$@"' both "$events" "${@:2}"
code=$?
grep -o 'browser: [0-9]* clicks tried again, [0-9]* pages replaced' "$events/all"
exit $code
