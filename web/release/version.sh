#!/usr/bin/env bash
# Prints the version of the source, and fails unless it is a release with the given tag: v0.6.0 for version 0.6.0.
set -euo pipefail
cd "$(dirname "$0")/../.."

tag=${1:?"usage: web/release/version.sh TAG"}
version=$(sed -n 's/^const Number = "\(.*\)"$/\1/p' app/version/version.go)
if [ "$tag" != "v$version" ] || [ "${version%-dev}" != "$version" ]; then
  echo "the tag is $tag and the version in app/version/version.go is $version" >&2
  exit 1
fi
echo "$version"
