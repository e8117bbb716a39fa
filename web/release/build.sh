#!/usr/bin/env bash
# Writes what a release has into a folder: an archive with the program for each platform, and checksums.txt. The same commit and the same
# version of Go give the same bytes, so that anybody can verify a release. It needs GNU tar.
#
#   web/release/build.sh FOLDER [OS/ARCH...]
set -euo pipefail
cd "$(dirname "$0")/../.."

out=${1:?"usage: web/release/build.sh FOLDER [OS/ARCH...]"}
shift
[ $# -gt 0 ] || set -- linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64

mkdir -p "$out"
out=$(cd "$out" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

archives=()
for platform; do
  os=${platform%/*} arch=${platform#*/}
  program=rollplay
  [ "$os" != windows ] || program=rollplay.exe
  folder=$work/$os-$arch
  archive=rollplay_${os}_$arch.tar.gz
  CGO_ENABLED=0 GOOS=$os GOARCH=$arch go build -trimpath -buildvcs=false -ldflags='-s -w' -o "$folder/$program" ./web/rollplay
  cp LICENSE "$folder/"
  tar -C "$folder" --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --mtime=@0 -cf - LICENSE "$program" |
    gzip -n -9 >"$out/$archive"
  archives+=("$archive")
done
cd "$out"
sha256sum "${archives[@]}" >checksums.txt
