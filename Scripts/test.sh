#!/usr/bin/env bash
# Installs what is missing, builds, and runs all tests, one at a time. Arguments go to `swift test`.
set -euo pipefail
cd "$(dirname "$0")/.."
. Scripts/setup.sh
set_up nginx-light openssl redis-server
exec swift test --no-parallel "$@"
