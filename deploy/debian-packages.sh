#!/usr/bin/env bash
# Installs what the system tests need from Debian's (or Ubuntu's) packages. Run as root, or where sudo works.
set -euo pipefail

packages=(
  bubblewrap      # a layer of the walls
  linux-libc-dev  # the kernel's own numbers of system calls
  chromium        # drives JupyterLab and looks at pages
  fonts-noto-cjk  # so that Chinese is drawn, not boxes
  poppler-utils   # looks at printed pages
  postgresql      # the other kind of gradebook; the tests start a server of their own
  python3-venv    # the system's own Python, which everyone on a Hub can run
)
command -v npm >/dev/null || packages+=(npm) # installs JupyterHub's proxy; Node may be here from elsewhere

missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo)
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
