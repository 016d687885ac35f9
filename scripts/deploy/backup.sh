#!/bin/sh
# Makes a backup, and deletes those that are older than BACKUP_DAYS. If the backup fails nothing is deleted.
set -eu
FOLDER=${BACKUP_FOLDER:-/var/backups/opbench}
DAYS=${BACKUP_DAYS:-14}
NODE=node_modules/.bin/node
[ -x "$NODE" ] || NODE=node

case $DAYS in
  '' | *[!0-9]* | 0*) echo "BACKUP_DAYS is \"$DAYS\": set it to a whole number of days from 1 on" >&2 && exit 1 ;;
esac

"$NODE" --env-file="${ENV_FILE:-/etc/opbench.env}" dist/opbench-board.mjs backup "$FOLDER/opbench-$(date -u +%Y-%m-%dT%H%M%SZ).sqlite"
# Also what a backup that was killed has left, and what Litestream restored here.
find "$FOLDER" -maxdepth 1 -type f \( -name 'opbench-*.sqlite' -o -name 'opbench-*.sqlite.*' -o -name 'replica.sqlite*' \) \
  -mmin "+$((DAYS * 1440))" -delete
