#!/usr/bin/env bash
# Looks for known vulnerabilities in the npm packages and Go modules. Both ask a database on the network: one that can't be
# reached is reported in one line and is no failure.
set -uo pipefail
cd "$(dirname "$0")"

GOVULNCHECK=golang.org/x/vuln/cmd/govulncheck@v1.1.4
failed=0

# npm prints a report with this field, or else the error of the request.
report=$(npm audit --json 2>/dev/null)
if [[ $report == *'"auditReportVersion"'* ]]; then
  npm audit || failed=1
else
  echo "npm audit: not checked, the registry does not answer ($(sed -n 's/^ *"message": "\(.*\)",*$/\1/p' <<<"$report" | head -1))"
fi

tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT
GOBIN=$tools go install "$GOVULNCHECK" 2>/dev/null || { echo "govulncheck: not checked, it can't be installed"; exit $failed; }

# check runs govulncheck on packages, which exits with 3 if it finds something.
check() {
  local out
  out=$(cd .. && "$tools/govulncheck" "$@" 2>&1)
  case "$? $out" in
    "0 "*) echo "govulncheck $*: nothing found" ;;
    *"Vulnerability #"*) echo "$out"; failed=1 ;;
    *) echo "govulncheck $*: not checked ($(head -1 <<<"$out"))" ;;
  esac
}
GOOS=js GOARCH=wasm check ./wasm
check ./web/rollplay

exit $failed
