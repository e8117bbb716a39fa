#!/usr/bin/env bash
# Prints the section of CHANGELOG.md on a version: the notes of its release.
set -euo pipefail
cd "$(dirname "$0")/../.."

version=${1:?"usage: web/release/notes.sh VERSION"}
notes=$(awk -v head="## [$version]" 'index($0, "## [") == 1 { on = index($0, head) == 1; next } on' CHANGELOG.md)
if [ -z "${notes//[[:space:]]/}" ]; then
  echo "CHANGELOG.md has no section [$version]" >&2
  exit 1
fi
printf '%s\n' "$notes"
