#!/bin/sh
# For opbench-backup.service of versions before 0.13, which runs in a checkout.
set -eu
exec node_modules/.bin/node --env-file="${ENV_FILE:-/etc/opbench.env}" dist/opbench-board.mjs \
  backup "${BACKUP_FOLDER:-/var/backups/opbench}" --keep-days "${BACKUP_DAYS:-14}"
