#!/usr/bin/env bash
# Publishes what release.sh has written as a release of GitHub. Files of a release that exists are not replaced: then it fails.
#
#   web/release/publish.sh TAG FOLDER
set -euo pipefail

usage="usage: web/release/publish.sh TAG FOLDER"
tag=${1:?"$usage"} folder=${2:?"$usage"}
(cd "$folder" && sha256sum --check --quiet --strict checksums.txt)
gh release create "$tag" --verify-tag --title "$tag" --notes-file "$folder/notes.md" \
  "$folder"/*.tar.gz "$folder/rollplay.cdx.json" "$folder/rollplay-krew.yaml" "$folder/checksums.txt"
