#!/usr/bin/env bash
# Runs every page of the playgrounds and compares what it prints with `Expected.txt` beside it.
# `--record` writes those files instead.
set -euo pipefail
cd "$(dirname "$0")/.."

binaries=$(swift build --show-bin-path)
count=0
failed=0
for page in Playgrounds/*.playground/Pages/*.xcplaygroundpage; do
  name=$(basename "$page" .xcplaygroundpage)
  [ -x "$binaries/Page$name" ] || swift build --product "Page$name"
  count=$((count + 1))
  if [ "${1:-}" = --record ]; then
    "$binaries/Page$name" > "$page/Expected.txt"
  elif ! diff -u "$page/Expected.txt" <("$binaries/Page$name" 2>&1); then
    echo "The page $name prints something else than it did (or failed)." >&2
    failed=$((failed + 1))
  fi
done
[ "$failed" = 0 ] && echo "$count playground pages print what they should."
