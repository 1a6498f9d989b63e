#!/usr/bin/env bash
# backup.sh save|restore FOLDER: save a site while it serves, or put it back into an empty one of the same version.
# Runs as the user of the site with the settings in ENV_FILE; needs rsync, and pg_dump of the version of the server.
set -euo pipefail
umask 077

setting() { sed -n "s/^$1=//p" "${ENV_FILE:-/etc/sweepbook/sweepbook.env}" | tail -n 1; }
database=$(setting DATABASE_URL)
files=$(setting DATA_DIR)/replays
[ $# -eq 2 ] && [ -n "$database" ] && [ "$files" != /replays ] || { sed -n '2,3s/^# //p' "$0" >&2; exit 2; }

case $1 in
save) # The database before the files: they are named by their hash and never change.
    mkdir -p "$2/files"
    pg_dump --format=custom --file="$2/database.new" "$database"
    rsync --archive --delete-delay "$files/" "$2/files/"
    mv "$2/database.new" "$2/database"
    ;;
restore) # In one transaction, which fails if the database has tables or the dump is damaged.
    pg_restore --exit-on-error --single-transaction --no-owner --dbname="$database" "$2/database"
    rsync --archive "$2/files/" "$files/"
    ${SWEEPBOOK:-sweepbook} shell --command "from players.db.changes import begin_anew; begin_anew()"
    ;;
esac
