# shellcheck shell=bash
# Sourced by the tests of packages: bare Debian 12 systems, made by debootstrap from the mirror that
# this machine's apt uses, in folders that are removed at the end.
#   make_system NAME          $systems/NAME
#   inside NAME COMMAND...    runs a command there; /exchange is $exchange
# Both tests are skipped (77) where there is no root, no debootstrap, or no mirror.
set -euo pipefail
export LC_ALL=C.UTF-8

skip() {
  echo "skipped: $*"
  exit 77
}

((EUID == 0)) || skip 'only root can make systems'
command -v debootstrap >/dev/null || skip 'debootstrap is not installed'
unshare --mount true 2>/dev/null || skip 'no mounts can be made here'

systems=$(mktemp -d "${TMPDIR:-/tmp}/orrery_packages.XXXXXX")
exchange=$systems/exchange
mkdir "$exchange"
trap 'rm -rf --one-file-system "$systems"' EXIT

mirror=$(apt-get indextargets --format '$(SITE) $(RELEASE) $(CREATED_BY)' 2>/dev/null |
  awk '$2 == "bookworm" { print $1; exit }')
[[ -n $mirror ]] || skip 'apt has no mirror of Debian 12'

# One is made with the network, the others are copies of it.
make_system() {
  if ! [[ -d $systems/first ]]; then
    debootstrap --variant=minbase bookworm "$systems/first" "$mirror" >"$systems/log" 2>&1 || {
      tail -n 5 "$systems/log"
      skip 'debootstrap made no system'
    }
    echo "deb $mirror bookworm main" >"$systems/first/etc/apt/sources.list"
    cp /etc/resolv.conf /etc/hosts "$systems/first/etc/"
    mkdir "$systems/first/exchange"
    inside first apt-get update >/dev/null
  fi
  cp -a "$systems/first" "$systems/$1"
}

inside() {
  local system=$systems/$1
  shift
  unshare --mount bash -c '
    mount --make-rprivate /
    mount -t proc proc "$0/proc"
    mount --rbind /dev "$0/dev"
    mount --rbind /sys "$0/sys"
    mount --bind "$1" "$0/exchange"
    exec chroot "$0" env DEBIAN_FRONTEND=noninteractive "${@:2}"' "$system" "$exchange" "$@"
}
