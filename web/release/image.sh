#!/usr/bin/env bash
# Publishes the container image of a release: the released programs of Linux, and nothing else. It needs no Docker.
#
#   web/release/image.sh FOLDER IMAGE TAG...      dist ghcr.io/rollplay/rollplay v0.6.0 latest
#
# FOLDER is what build.sh has written. INSECURE=1 is for a registry without TLS, in a test.
set -euo pipefail
cd "$(dirname "$0")/../.."

usage="usage: web/release/image.sh FOLDER IMAGE TAG..."
folder=${1:?"$usage"} image=${2:?"$usage"} tag=${3:?"$usage"}
shift 3
CRANE=${CRANE:-go run github.com/google/go-containerregistry/cmd/crane@v0.20.6}
registry() { $CRANE "$@" ${INSECURE:+--insecure}; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

parts=()
for arch in amd64 arm64; do
  archive=$folder/rollplay_linux_$arch.tar.gz
  [ -e "$archive" ] || continue
  gzip -dc "$archive" >"$work/$arch.tar"
  registry append --oci-empty-base --platform "linux/$arch" --new_layer "$work/$arch.tar" --new_tag "$image:$tag-$arch"
  registry mutate "$image:$tag-$arch" --entrypoint /rollplay --user 65532:65532 --set-platform "linux/$arch" --tag "$image:$tag-$arch" \
    --label org.opencontainers.image.source=https://github.com/rollplay/rollplay --label "org.opencontainers.image.version=$tag"
  parts+=(--manifest "$image:$tag-$arch")
done
[ "${#parts[@]}" -gt 0 ] || { echo "$folder has no archive for Linux" >&2; exit 1; }

registry index append "${parts[@]}" --tag "$image:$tag"
for more; do
  registry tag "$image:$tag" "$more"
done
