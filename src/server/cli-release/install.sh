#!/bin/sh
# Installs opbench @VERSION@ from @BOARD@ for your user. Needs no root.
# Run it with:  curl -fsSL @BOARD@/install.sh | sh
# Words after it run opbench at the end:  ... | sh -s -- enroll CODE
#
# OPBENCH_BIN   the folder of the command; default: ~/.local/bin
# OPBENCH_HOME  the folder of the program; default: ~/.config/opbench
set -eu

board='@BOARD@'
version='@VERSION@'
sha256='@SHA256@'
least='@NODE@'

# Everything is in functions, so that a script that was cut off does nothing.
main() {
  [ -n "${HOME:-}" ] || fail "HOME is not set" "Set it to your home folder, then run this again."
  bin=${OPBENCH_BIN:-$HOME/.local/bin}
  state=${OPBENCH_HOME:-${XDG_CONFIG_HOME:-$HOME/.config}/opbench}
  command=$bin/opbench
  program=$state/opbench.mjs

  check_node
  check_command
  umask 077
  mkdir -p "$bin" "$state"
  temporary=$(mktemp -d "$state/install.XXXXXX")
  trap 'rm -rf "$temporary" "$command.$$"' EXIT
  trap 'exit 130' HUP INT TERM

  echo "Downloading opbench $version from $board"
  download "$board/opbench.mjs" "$temporary/opbench.mjs"
  check_download
  launcher >"$command.$$"
  chmod 700 "$temporary/opbench.mjs" "$command.$$"
  if is_newer; then
    echo "Kept $program, which is newer"
  else
    mv -f "$temporary/opbench.mjs" "$program"
  fi
  mv -f "$command.$$" "$command"
  echo "Installed $command"
  finish "$@"
}

fail() {
  echo "opbench was not installed: $1" >&2
  [ -z "${2:-}" ] || echo "$2" >&2
  exit 1
}

check_node() {
  found=$(node -p process.versions.node 2>/dev/null) || found=none
  case ${found%%.*} in
  '' | *[!0-9]*) ;;
  *) [ "${found%%.*}" -lt "$least" ] || return 0 ;;
  esac
  case $(uname -s) in
  Darwin) how="With Homebrew: brew install node" ;;
  *) how="Packages of Linux distributions work if they are new enough." ;;
  esac
  fail "it needs Node.js $least or later; found: $found" \
    "Get Node.js from https://nodejs.org/en/download. $how
Then run this command again."
}

# Replaces only a command of this script.
check_command() {
  if [ -e "$command" ] && ! grep -q 'Written by install.sh of opbench' "$command" 2>/dev/null; then
    fail "$command exists and is another program" \
      "Move it to another folder, or set OPBENCH_BIN to a folder on your PATH."
  fi
}

download() {
  if command -v curl >/dev/null 2>&1; then
    curl -fsSL --retry 2 -o "$2" "$1" || fail "$1 could not be downloaded" "Try again later."
  elif command -v wget >/dev/null 2>&1; then
    wget -q -O "$2" "$1" || fail "$1 could not be downloaded" "Try again later."
  else
    fail "there is no curl and no wget" "Install one of them, then run this again."
  fi
}

check_download() {
  digest=$(node -e '
    const { createHash } = require("node:crypto");
    const { readFileSync } = require("node:fs");
    console.log(createHash("sha256").update(readFileSync(process.argv[1])).digest("hex"));
  ' "$temporary/opbench.mjs")
  [ "$digest" = "$sha256" ] ||
    fail "the download has the wrong SHA-256 digest ($digest)" \
      "The board may have been updated meanwhile. Run this command again. If it fails again, tell the admin of the board."
  node "$temporary/opbench.mjs" --version >/dev/null || fail "the program does not start"
}

# Whether the saved copy is newer, for example from another board.
is_newer() {
  [ -f "$program" ] && node -e '
    const { readFileSync } = require("node:fs");
    const version = /^#!.*\n\/\/ opbench (\d+)\.(\d+)\.(\d+)(-?)/;
    const [kept, now] = process.argv.slice(1).map((path) => {
      const found = version.exec(readFileSync(path, "utf8"));
      return found && [...found.slice(1, 4).map(Number), found[4] ? 0 : 1];
    });
    const at = kept && now ? kept.findIndex((part, index) => part !== now[index]) : -1;
    process.exit(at >= 0 && kept[at] > now[at] ? 0 : 1);
  ' "$program" "$temporary/opbench.mjs"
}

# "opbench update" replaces the program that this runs.
launcher() {
  cat <<'END'
#!/bin/sh
# Written by install.sh of opbench
state=${OPBENCH_HOME:-${XDG_CONFIG_HOME:-$HOME/.config}/opbench}
OPBENCH_ON_PATH=yes exec node "$state/opbench.mjs" "$@"
END
}

finish() {
  case :$PATH: in
  *:"$bin":*) typed=opbench ;;
  *)
    case $command in
    *[!A-Za-z0-9._/-]*) typed="'$command'" ;;
    *) typed=$command ;;
    esac
    explain_path
    ;;
  esac
  if [ $# -gt 0 ]; then
    rm -rf "$temporary"
    # The input of this script is the script itself.
    if [ ! -t 0 ] && (: </dev/tty) 2>/dev/null; then exec "$command" "$@" </dev/tty; fi
    exec "$command" "$@"
  fi
  echo "Next: get a code from \"Add a device\" in $board/settings, then run:"
  echo "  $typed enroll CODE"
}

explain_path() {
  echo "$bin is not on your PATH. To type just \"opbench\" in new terminals, run:"
  case ${SHELL:-} in
  */fish) echo "  fish_add_path '$bin'" ;;
  */zsh) echo "  echo 'export PATH=\"$bin:\$PATH\"' >> ~/.zshrc" ;;
  */bash) echo "  echo 'export PATH=\"$bin:\$PATH\"' >> ~/.bashrc" ;;
  *) echo "  echo 'export PATH=\"$bin:\$PATH\"' >> ~/.profile" ;;
  esac
}

main "$@"
