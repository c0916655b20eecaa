#!/usr/bin/env bash
# Each C library is imported in one folder only, and privately: no C type is visible outside it.
set -euo pipefail
cd "$(dirname "$0")/.."

failed=0
complain() {
  echo "$1" >&2
  failed=1
}

# Module prefix, and the folder that may import it.
while read -r module folder; do
  [ -n "$module" ] || continue
  while IFS=: read -r file _ line; do
    case "$file" in
      "$folder"/*) ;;
      *) complain "$file imports $module, which belongs to $folder" ;;
    esac
    case "$line" in
      "private import "* | "internal import "* | "  private import "*) ;;
      *) complain "$file imports $module without private: $line" ;;
    esac
  done < <(grep -rnE "import $module(Shims)?\$" Sources --include='*.swift' || true)
done <<'TABLE'
CCurl        Sources/Pipeline/Transfer
CJPEG        Sources/Pipeline/Codecs/JPEG
CPNG         Sources/Pipeline/Codecs/PNG
CGIF         Sources/Pipeline/Codecs/GIF
CWebP        Sources/Pipeline/Codecs/WebP
CLCMS        Sources/Pipeline/Codecs/Color
CMicroHTTPD  Sources/Demo/Server
TABLE

if grep -rnE '^(public |@_exported |)import (Foundation|FoundationEssentials)$' Sources/Streams; then
  complain "Flow stands without Foundation"
fi
exit $failed
