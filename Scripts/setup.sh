#!/usr/bin/env bash
# Installs the libraries that the package stands on, where they are missing. Sourced or run.
set -euo pipefail

# Library (as pkg-config knows it), Debian package, Homebrew formula.
libraries="
libcurl        libcurl4-openssl-dev  curl
libjpeg        libjpeg62-turbo-dev   jpeg-turbo
libpng         libpng-dev            libpng
libgif         libgif-dev            giflib
libwebp        libwebp-dev           webp
lcms2          liblcms2-dev          little-cms2
libmicrohttpd  libmicrohttpd-dev     libmicrohttpd
hiredis        libhiredis-dev        hiredis
"

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

install_debian() {
  local wanted=()
  while read -r library package _; do
    [ -n "$library" ] || continue
    dpkg -s "$package" >/dev/null 2>&1 || wanted+=("$package")
  done <<<"$libraries"
  command -v pkg-config >/dev/null 2>&1 || wanted+=(pkg-config)
  for program in "$@"; do
    dpkg -s "$program" >/dev/null 2>&1 || wanted+=("$program")
  done
  [ ${#wanted[@]} -gt 0 ] || return 0
  echo "Installing ${wanted[*]}"
  as_root apt-get update -q >/dev/null
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends \
    "${wanted[@]}" >/dev/null
}

install_brew() {
  while read -r library _ formula; do
    [ -n "$library" ] || continue
    brew list "$formula" >/dev/null 2>&1 || brew install "$formula"
  done <<<"$libraries"
  command -v pkg-config >/dev/null 2>&1 || brew install pkg-config
}

# Further arguments name programs that the tests use, as Debian packages.
set_up() {
  if ! command -v swift >/dev/null 2>&1; then
    echo "There is no Swift toolchain on this machine: see https://www.swift.org/install" >&2
    return 1
  fi
  if command -v apt-get >/dev/null 2>&1; then
    install_debian "$@"
  elif command -v brew >/dev/null 2>&1; then
    install_brew
  else
    echo "Neither apt-get nor brew is here: install the libraries of the README's table." >&2
  fi
}
