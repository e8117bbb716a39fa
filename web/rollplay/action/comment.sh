#!/usr/bin/env bash
# The last step of action.yml: keeps one comment with the report on the pull request. A later run edits it. A token that must not write,
# as in a pull request from a fork, is no failure: the report is in the job's summary, too.
set -u

[ -n "$NUMBER" ] || exit 0 # this is no pull request
[ -s "$REPORT" ] || exit 0 # there is no verdict

if ! command -v gh >/dev/null; then
  echo "rollplay: comment: there is no gh on this runner" >&2
  exit 2
fi

# Each job of a workflow, and each set of manifests in a matrix, has its own comment.
mark="<!-- rollplay check $(printf '%s\n' "$GITHUB_WORKFLOW" "$GITHUB_JOB" "$MANIFESTS" | cksum | cut -d ' ' -f 1) -->"
body=$(mktemp "$RUNNER_TEMP/rollplay.XXXXXX") || exit 2
trap 'rm -f "$body"' EXIT
printf '%s\n' "$mark" >"$body"
cat "$REPORT" >>"$body"
# GitHub takes 65,536 characters. A chart or a list that is cut in its middle is closed.
if [ "$(wc -c <"$body")" -gt 60000 ]; then
  head -c 60000 "$body" | sed '$d' >"$body.cut"
  [ "$(($(grep -c '^```' "$body.cut") % 2))" = 0 ] || printf '```\n' >>"$body.cut"
  [ "$(grep -c '^<details>' "$body.cut")" = "$(grep -c '^</details>' "$body.cut")" ] || printf '\n</details>\n' >>"$body.cut"
  printf '\nThe rest is in the summary of the job.\n' >>"$body.cut"
  mv -f "$body.cut" "$body"
fi

comments=repos/$GITHUB_REPOSITORY/issues/$NUMBER/comments
id=$(MARK=$mark gh api --paginate "$comments" --jq '.[] | select(.body | startswith(env.MARK)) | .id' | head -n 1)
if [ -n "$id" ]; then
  gh api --silent --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$id" --field "body=@$body"
else
  gh api --silent --method POST "$comments" --field "body=@$body"
fi || echo "rollplay: the comment was not written; the job needs permissions: pull-requests: write"
exit 0
