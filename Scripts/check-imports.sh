#!/usr/bin/env bash
# Each C library is imported in one folder, and nobody outside speaks of what it declares. Flow knows
# neither Foundation nor C; the demo, the playgrounds and the benchmarks use what is public.
set -euo pipefail
cd "$(dirname "$0")/.."
failed=0

complain() {
  printf '%s\n' "$1" "$2" >&2
  failed=1
}

# Module : the folder that may import it
HOMES="
CCurl:Sources/Pipeline/Transfer/
CCurlShims:Sources/Pipeline/Transfer/
CJPEG:Sources/Pipeline/Codecs/JPEG/
CJPEGShims:Sources/Pipeline/Codecs/JPEG/
CPNG:Sources/Pipeline/Codecs/PNG/
CPNGShims:Sources/Pipeline/Codecs/PNG/
CGIF:Sources/Pipeline/Codecs/GIF/
CWebP:Sources/Pipeline/Codecs/WebP/
CLCMS:Sources/Pipeline/Codecs/Color/
CMicroHTTPD:Sources/Demo/Server/
CMicroHTTPDShims:Sources/Demo/Server/
CPixelShims:Sources/Pipeline/\(Transforms\|Codecs/Raster\)/
CHiredis:Sources/PipelineRedis/
CChecksumShims:Sources/Pipeline/Caches/Disk/
"
known=""
for entry in $HOMES; do
  module=${entry%%:*}
  home=${entry#*:}
  known="$known $module"
  strangers=$(grep -rnE "^ *([a-z@_]+ +)*import $module( |\$)" Sources | grep -v "^$home" || true)
  [ -z "$strangers" ] || complain "$module may be imported below $home only:" "$strangers"
done
for module in $(ls Sources/CLibraries); do
  case " $known " in *" $module "*) ;; *) complain "no folder is named for" "$module" ;; esac
done

open=$(grep -rnE '^ *([a-z@_]+ +)*import C[A-Z]' Sources |
  grep -vE ':(private|fileprivate|internal) import' || true)
[ -z "$open" ] || complain "C libraries are imported by 'private import' or 'internal import':" "$open"

# Declarations of a library : the folder that may speak of them
DECLARATIONS="
curl_|CURL:Sources/Pipeline/Transfer/
jpeg_|j_decompress:Sources/Pipeline/Codecs/JPEG/
png_:Sources/Pipeline/Codecs/PNG/
GifFileType|DGif|EGif:Sources/Pipeline/Codecs/GIF/
WebPPicture|WebPIDecoder|WebPDecoderConfig:Sources/Pipeline/Codecs/WebP/
cmsH:Sources/Pipeline/Codecs/Color/
MHD_:Sources/Demo/Server/
redisContext|redisReply|redisCommand:Sources/PipelineRedis/
"
for entry in $DECLARATIONS; do
  home=${entry#*:}
  strangers=$(grep -rnE --include='*.swift' "\\b(${entry%%:*})" Sources | grep -v "^$home" || true)
  [ -z "$strangers" ] || complain "Only $home may speak of:" "$strangers"
done

foreign=$(grep -rnE '^ *import (Foundation|FoundationEssentials|Pipeline)' Sources/Streams || true)
[ -z "$foreign" ] || complain "Flow imports only the standard library, Synchronization, Dispatch:" "$foreign"
inside=$(grep -rn '@testable' Sources Playgrounds Benchmarks || true)
[ -z "$inside" ] || complain "the demo, playgrounds and benchmarks use what is public:" "$inside"
[ "$failed" = 0 ] && echo "Every C library is imported in one folder and known nowhere else."
exit "$failed"
