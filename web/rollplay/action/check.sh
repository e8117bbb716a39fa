#!/usr/bin/env bash
# The step of action.yml: puts the report into the job's summary, the findings into a SARIF file, and fails with the verdict.
# The inputs come as variables, so that nothing in them is taken for shell. macOS has bash 3.2: there, with set -u, an empty array counts
# as unset, so each array is expanded as ${name[@]+"${name[@]}"}.
set -u

work=$(mktemp -d "$RUNNER_TEMP/rollplay.XXXXXX") || exit 2 # a name that programs of Windows read, too

# A name or a text of the manifests must not be taken for a command of the runner, such as ::add-mask::.
token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
if [ "${#token}" != 32 ]; then
  echo "rollplay: there are no random numbers in /dev/urandom" >&2
  exit 2
fi
echo "::stop-commands::$token"
commands_on() {
  [ -z "$token" ] || echo "::$token::"
  token=
}
trap 'commands_on; rm -rf "$work"' EXIT

wrong() {
  echo "rollplay: $1" >&2
  exit 2
}

# A checkout in CI has one commit: the revision to compare with is fetched if it is not there.
case $FROM in
git:*)
  revision=${FROM#git:}
  if ! git rev-parse --verify --quiet --end-of-options "$revision^{commit}" >/dev/null &&
    git fetch --quiet --depth=1 origin -- "$revision"; then
    FROM=git:$(git rev-parse FETCH_HEAD)
  fi
  ;;
esac

options=()
[ -z "$FROM" ] || options+=(--from "$FROM")
[ -z "$RENDER" ] || options+=(--render "$RENDER")
[ -z "$NODES" ] || options+=(--nodes "$NODES")
[ -z "$CLUSTER" ] || options+=(--cluster "$CLUSTER")
[ -z "$POLICY" ] || options+=(--policy "$POLICY")
[ -z "$BASELINE" ] || options+=(--baseline "$BASELINE")
[ -z "$BASE" ] || options+=(--base "$BASE")
[ "$ONLY_WORSE" != true ] || options+=(--only-worse)
[ -z "$SARIF" ] || options+=(-o "sarif=$SARIF")
[ -z "$JUNIT" ] || options+=(-o "junit=$JUNIT")

# xargs reads quotes as a shell does, but neither variables nor commands. The x keeps empty words.
if [ -n "$(printf %s "$ARGUMENTS" | tr -d "[:space:]")" ]; then
  words=$(printf "%s\n" "$ARGUMENTS" | tr -d '\r' | xargs printf "x%s\n") || wrong "arguments: a quote has no end: $ARGUMENTS"
  while IFS= read -r word; do
    options+=("${word#x}")
  done <<<"$words"
fi

# Each line of manifests is a file, or a pattern of files.
files=()
while IFS= read -r line; do
  line=${line%$'\r'}
  [ -n "$line" ] || continue
  if [ -e "$line" ] || [ "$line" = - ]; then
    files+=("$line")
    continue
  fi
  IFS=
  found=($line)
  unset IFS
  [ -e "${found[0]}" ] || wrong "manifests: there is no file $line"
  files+=("${found[@]}")
done <<<"$MANIFESTS"
[ "${#files[@]}" != 0 ] || [ -n "$RENDER" ] || wrong "manifests: no file is given"

report=$work/report.md
"$ROLLPLAY" check ${options[@]+"${options[@]}"} -o "markdown=$report" -o "github=$work/annotations" -- ${files[@]+"${files[@]}"}
code=$?
case $code in
0) verdict=pass ;;
1) verdict=fail ;;
3) verdict=unknown ;;
*) exit 2 ;; # the input is wrong, as rollplay has said
esac
first=
[ ! -e "$report" ] || IFS= read -r first <"$report"
case $first in
"### "*" rollplay check: $verdict") ;;
*) wrong "it ended with $code and without a report, so there is no verdict" ;;
esac

cat "$report" >>"$GITHUB_STEP_SUMMARY"
mv "$report" "$RUNNER_TEMP/rollplay-report.md"
printf 'verdict=%s\nreport=%s\n' "$verdict" "$RUNNER_TEMP/rollplay-report.md" >>"$GITHUB_OUTPUT"
# The annotations are commands of the runner, whose texts rollplay has escaped.
commands_on
[ "$ANNOTATIONS" != true ] || cat "$work/annotations"
[ "$verdict" = pass ] || { [ "$verdict" = unknown ] && [ "$UNKNOWN" = pass ]; }
