#!/bin/sh
# Makes a backup, then deletes backups older than BACKUP_DAYS. If the backup fails, nothing is deleted.
set -eu
FOLDER=${BACKUP_FOLDER:-/var/backups/opbench}
DAYS=${BACKUP_DAYS:-14}
NODE=node_modules/.bin/node
[ -x "$NODE" ] || NODE=node

case $DAYS in
  '' | *[!0-9]* | 0*) echo "BACKUP_DAYS is \"$DAYS\". Set it to a whole number of days, at least 1" >&2 && exit 1 ;;
esac

"$NODE" --env-file="${ENV_FILE:-/etc/opbench.env}" dist/opbench-board.mjs backup "$FOLDER/opbench-$(date -u +%Y-%m-%dT%H%M%SZ).sqlite"
# Also deletes temporary files of interrupted backups, and files that Litestream restored here.
find "$FOLDER" -maxdepth 1 -type f \( -name 'opbench-*.sqlite' -o -name 'opbench-*.sqlite.*' -o -name 'replica.sqlite*' \) \
  -mmin "+$((DAYS * 1440))" -delete
