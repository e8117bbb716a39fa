#!/usr/bin/env bash
# Runs each fuzz function below some folders for FUZZTIME (30s), one after the other, because go test accepts only one at a time.
# TARGET is a regular expression for "FOLDER NAME". The script fails if a function fails or never runs, or if there is none.
#
#   FUZZTIME=10m TARGET='engine FuzzRun$' web/fuzz.sh engine app web
set -uo pipefail
ran=0 failed=0

# module prints the folder of the module that a folder belongs to.
module() {
  local dir=$1
  until [ -f "$dir/go.mod" ] || [ "$dir" = . ]; do dir=$(dirname "$dir"); done
  echo "$dir"
}

# fuzz runs a function and prints the last line of its progress, which has the sums. Go minimizes an interesting input for up to a
# minute, during which the function does not run; ten executions are enough, because the generators keep inputs short.
fuzz() {
  local dir=$1 name=$2 out sums
  if out=$(go test -run '^$' -fuzz "^$name\$" -fuzztime "${FUZZTIME:-30s}" -fuzzminimizetime 10x "./$dir" 2>&1); then
    sums=$(grep -E '^fuzz: elapsed: .*, execs: [1-9]' <<<"$out" | tail -1)
    [ -n "$sums" ] && echo "ok      $dir $name: ${sums#fuzz: }" && return
    echo "FAILED  $dir $name: it did not run"
  else
    echo "FAILED  $dir $name: $(sed -nE "s|.*Failing input written to |$dir/|p" <<<"$out")"
  fi
  failed=$((failed + 1))
  echo "$out" >&2
}

while IFS=: read -r file line; do
  dir=$(dirname "$file") name=${line#func }
  name=${name%(}
  [[ $(module "$dir") == . && "$dir $name" =~ ${TARGET:-} ]] || continue
  ran=$((ran + 1))
  fuzz "$dir" "$name"
done < <(grep -rHoE '^func Fuzz[[:alnum:]_]+\(' --include='*_test.go' --exclude-dir=testdata --exclude-dir=node_modules "$@" | sort)

echo "$ran functions, $failed failed"
[ "$ran" -gt 0 ] && [ "$failed" = 0 ]
