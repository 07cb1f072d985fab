# shellcheck shell=bash
# The distribution packages (Debian 12 or later), listed once; sourced by jobs/quickstart and
# tests/run. src/README.md says what each is for.

# What every build needs: -DORRERY_LINEAR=OFF -DORRERY_ANCHORED=OFF build with these alone.
# shellcheck disable=SC2034  # the lists are read by the scripts that source this file
least_packages=(
  cmake ninja-build g++
  libopenmpi-dev openmpi-bin libhdf5-dev libeigen3-dev libboost-program-options-dev
  libfmt-dev libspdlog-dev nlohmann-json3-dev librandom123-dev libxxhash-dev zlib1g-dev)
# With what optional parts need (cmake/OrreryOptionalParts.cmake); learn anchored runs toulbar2.
build_packages=(
  "${least_packages[@]}"
  libzip-dev
  libopenblas-dev coinor-libclp-dev coinor-libcbc-dev toulbar2 liblinear-dev
  pkg-config)
# shellcheck disable=SC2034
test_packages=(libgtest-dev hdf5-tools libfiu-dev fiu-utils graphviz python3-networkx python3-igraph
  python3-numpy python3-h5py python3-pandas python3-scipy python3-setuptools python3-pip
  r-base-core r-cran-hdf5r r-cran-jsonlite)
# shellcheck disable=SC2034
tsan_packages=(clang libomp-dev)
# shellcheck disable=SC2034
package_packages=(dpkg-dev file binutils debootstrap lintian)
# shellcheck disable=SC2034
tidy_packages=(clang clang-tidy libomp-dev)
# shellcheck disable=SC2034
cluster_packages=(slurm-wlm munge libpmi2-0 iproute2 procps)

is_installed() {
  # A package of several architectures is listed once for each.
  [[ $(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null) == installed* ]]
}

are_installed() {
  local package
  for package in "$@"; do
    is_installed "$package" || return 1
  done
}

# install_packages PURPOSE PACKAGE...: installs those that are missing; asks for root only then.
install_packages() {
  local purpose=$1 package log
  local -a missing=() as_root=()
  shift
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    echo "This system has no apt-get. To $purpose, orrery needs what Debian calls: $*"
    echo "Going on; CMake will name what it does not find."
    return 0
  fi
  for package in "$@"; do
    is_installed "$package" || missing+=("$package")
  done
  ((${#missing[@]})) || return 0

  echo "To $purpose, these packages are missing: ${missing[*]}"
  local -a command=(apt-get install --yes --no-install-recommends -o DPkg::Lock::Timeout=300
    "${missing[@]}")
  if ((EUID != 0)); then
    if ! command -v sudo >/dev/null; then
      echo "Only root can install them, and there is no sudo. As root, run:" >&2
      echo "  apt-get update && ${command[*]}" >&2
      return 1
    fi
    echo "Installing them with apt-get; sudo may ask for your password."
    as_root=(sudo)
  else
    echo "Installing them with apt-get."
  fi
  log=$(mktemp)
  # A failed update is no error yet: the packages may be in apt's cache.
  if ! {
    "${as_root[@]}" apt-get update || true
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive "${command[@]}"
  } >"$log" 2>&1 </dev/null; then
    tail -n 20 "$log" >&2
    echo "apt-get could not install them; all that it said is in $log" >&2
    return 1
  fi
  rm -f "$log"
}
