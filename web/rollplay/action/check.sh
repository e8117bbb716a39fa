#!/usr/bin/env bash
# The step of action.yml: puts the report into the job's summary, the findings into a SARIF file, and fails with the verdict.
# The inputs come as variables, so that nothing in them is taken for shell.
set -u

options=()
[ -z "$FROM" ] || options+=(--from "$FROM")
[ -z "$NODES" ] || options+=(--nodes "$NODES")
[ -z "$POLICY" ] || options+=(--policy "$POLICY")
read -r -a more <<<"$ARGUMENTS"
options+=("${more[@]}")

report=$("$ROLLPLAY" check -o markdown "${options[@]}" "$MANIFESTS")
code=$?
case $code in
0) verdict=pass ;;
1) verdict=fail ;;
3) verdict=unknown ;;
*) exit 2 ;; # the input is wrong, as rollplay has said
esac

printf '%s\n' "$report" | tee -a "$GITHUB_STEP_SUMMARY"
printf 'verdict=%s\n' "$verdict" >>"$GITHUB_OUTPUT"
[ -z "$SARIF" ] || "$ROLLPLAY" check -o sarif "${options[@]}" "$MANIFESTS" >"$SARIF"
[ "$verdict" = pass ] || { [ "$verdict" = unknown ] && [ "$UNKNOWN" = pass ]; }
