#!/usr/bin/env bash
# Writes all files of a release into a folder: archives, the SBOM, the manifest for krew, and checksums.txt for all of them.
#
#   web/release/release.sh TAG FOLDER [OS/ARCH...]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

usage="usage: web/release/release.sh TAG FOLDER [OS/ARCH...]"
tag=${1:?"$usage"} out=${2:?"$usage"}
shift 2
version=$("$here/version.sh" "$tag")
"$here/build.sh" "$out" "$@"
cd "$out"
"$here/krew.sh" "$version" "https://github.com/rollplay/rollplay/releases/download/$tag" checksums.txt >rollplay-krew.yaml

# The SBOM is read from a program itself, so it says what was linked. All platforms have the same modules.
program=$(mktemp)
trap 'rm -f "$program"' EXIT
for archive in rollplay_linux_*.tar.gz; do
  tar -xzOf "$archive" rollplay >"$program"
done
SBOM=${SBOM:-go run github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.9.0}
$SBOM bin -json -noserial -version "$tag" -output rollplay.cdx.json "$program"
sha256sum rollplay-krew.yaml rollplay.cdx.json >>checksums.txt
"$here/notes.sh" "$version" >notes.md
