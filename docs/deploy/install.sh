#!/bin/bash
# Install Sweepbook on Debian 12, in steps that may all be repeated.  docs/deploy.md says what each is for.
#
#     install.sh HOST            every step, in the order of STEPS
#     install.sh HOST STEP …     these steps
#
# With SWEEPBOOK_ROOT=/folder all files are written below that folder and keep their owner; for tests, and for a look.
set -euo pipefail

# In a container: packages user folders program command.  After an update: program prepare units nginx.
STEPS=(packages servers user folders program redis database settings command prepare units certificate nginx start)
PACKAGES=(python3-venv git openssl curl ca-certificates adduser rsync)
SERVERS=(postgresql redis-server nginx certbot)

ROOT=${SWEEPBOOK_ROOT:-}
CODE=$(cd "$(dirname "$0")/../.." && pwd)
HERE=$CODE/docs/deploy
PYTHON=$CODE/.venv/bin/python
ETC=$ROOT/etc/sweepbook
DATA=$ROOT/var/lib/sweepbook
CACHE=$ROOT/var/cache/sweepbook

step_packages() {
    apt-get update -q
    DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends "${PACKAGES[@]}"
}

step_servers() {
    DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends "${SERVERS[@]}"
}

step_user() {
    id sweepbook >/dev/null 2>&1 ||
        adduser --quiet --system --group --home /var/lib/sweepbook --no-create-home sweepbook
    if getent group redis >/dev/null; then adduser --quiet sweepbook redis; fi
}

step_folders() {
    owned sweepbook:sweepbook 0700 "$DATA" "$CACHE"
    owned root:sweepbook 0750 "$ETC"
}

# Everything that is written into the folder of the code; nothing of it belongs to the user who runs it.
step_program() {
    [ -x "$PYTHON" ] || python3 -m venv "$CODE/.venv"
    "$PYTHON" -m pip install --quiet --disable-pip-version-check --require-hashes -r "$CODE/requirements.lock"
    "$CODE/.venv/bin/pybabel" --quiet compile --directory "$CODE/config/locale" --domain django
    "$PYTHON" -m compileall -q "$CODE"/{config,players,replays,analysis}
    git config --system --replace-all safe.directory "$CODE" "^$CODE\$"
}

# No port: whoever reaches Redis may queue tasks.  Rooms and queued work outlive a restart.
step_redis() {
    local ours=$ROOT/etc/redis/sweepbook.conf main=$ROOT/etc/redis/redis.conf
    cat >"$ours" <<-END
	port 0
	unixsocket /run/redis/redis-server.sock
	unixsocketperm 770
	appendonly yes
	maxmemory-policy noeviction
	END
    # What everybody can compute again has a server of its own, which forgets what was not asked for longest.
    cat >"$ROOT/etc/redis/redis-cache.conf" <<-END
	port 0
	unixsocket /run/redis-cache/redis-server.sock
	unixsocketperm 770
	save ""
	appendonly no
	maxmemory 256mb
	maxmemory-policy allkeys-lru
	END
    chmod 644 "$ours" "$ROOT/etc/redis/redis-cache.conf"
    grep -qxF "include $ours" "$main" || echo "include $ours" >>"$main"
    with_systemd systemctl restart redis-server
    with_systemd systemctl enable --now redis-server@cache
    with_systemd systemctl restart redis-server@cache
}

# The user of the system is that of the database: no password.
step_database() {
    with_systemd systemctl start postgresql
    as_postgres psql -qtAc "SELECT 1 FROM pg_roles WHERE rolname = 'sweepbook'" | grep -q 1 || as_postgres createuser sweepbook
    as_postgres psql -qtAc "SELECT 1 FROM pg_database WHERE datname = 'sweepbook'" | grep -q 1 ||
        as_postgres createdb --owner sweepbook --encoding UTF8 --locale C.UTF-8 --template template0 sweepbook
}

step_settings() {
    local file=$ETC/sweepbook.env
    [ ! -e "$file" ] || { echo "$file stays as it is."; return; }
    (umask 077 && cat >"$file" <<-END
	# .env.example explains every variable.
	SECRET_KEY=$(openssl rand -hex 48)
	ALLOWED_HOSTS=$HOST
	CSRF_TRUSTED_ORIGINS=https://$HOST
	SITE_URL=https://$HOST
	HTTPS=true
	NUM_PROXIES=1
	DATA_DIR=$DATA
	DATABASE_URL=postgres://sweepbook@/sweepbook?host=/var/run/postgresql
	REDIS_URL=unix:///run/redis/redis-server.sock?db=0
	CACHE_URL=unix:///run/redis-cache/redis-server.sock?db=0
	LOG_FORMAT=json
	# Still to be filled in:
	EMAIL_URL=
	SITE_CONTACT=
	DATA_LICENCE=
	END
    )
    owned root:sweepbook 0640 "$file"
}

# `sweepbook check`, `sweepbook createsuperuser` …: manage.py as the user and with the settings of the site.
step_command() {
    mkdir -p "$ROOT/usr/local/bin"
    cat >"$ROOT/usr/local/bin/sweepbook" <<-END
	#!/bin/sh
	umask 077
	cd $CODE
	[ "\$(id -un)" = sweepbook ] || exec runuser -u sweepbook -- "\$0" "\$@"
	export ENV_FILE=$ETC/sweepbook.env NUMBA_CACHE_DIR=$CACHE/kernels
	exec $PYTHON manage.py "\$@"
	END
    chmod 755 "$ROOT/usr/local/bin/sweepbook"
}

step_prepare() {
    "$ROOT/usr/local/bin/sweepbook" prepare
}

step_units() {
    local to=$ROOT/etc/systemd/system unit
    mkdir -p "$to/sweepbook-.service.d"
    for unit in "$HERE"/sweepbook-*.service "$HERE"/sweepbook-*.socket; do
        rendered "$unit" "$to/$(basename "$unit")"
    done
    rendered "$HERE/hardening.conf" "$to/sweepbook-.service.d/hardening.conf"
    with_systemd systemctl daemon-reload
}

# One that browsers warn of, until `certbot` has a real one.
step_certificate() {
    [ ! -e "$ETC/tls/fullchain.pem" ] || return 0
    owned root:root 0700 "$ETC/tls"
    openssl req -x509 -newkey rsa:2048 -nodes -days 90 -subj "/CN=$HOST" -addext "subjectAltName=DNS:$HOST" \
        -keyout "$ETC/tls/privkey.pem" -out "$ETC/tls/fullchain.pem" 2>/dev/null
}

# After `certbot certonly`, and by its --deploy-hook; no part of the installation.
step_use_certificate() {
    ln -sfn "/etc/letsencrypt/live/$HOST/fullchain.pem" "$ETC/tls/fullchain.pem"
    ln -sfn "/etc/letsencrypt/live/$HOST/privkey.pem" "$ETC/tls/privkey.pem"
    with_systemd systemctl reload nginx
}

step_nginx() {
    mkdir -p "$ROOT"/etc/nginx/sites-{available,enabled} "$ROOT/var/www/html" "$ROOT/var/log/nginx" "$ROOT/var/cache/nginx"
    rendered "$HERE/nginx.conf" "$ROOT/etc/nginx/sites-available/sweepbook"
    ln -sfn ../sites-available/sweepbook "$ROOT/etc/nginx/sites-enabled/sweepbook"
    [ -n "$ROOT" ] || nginx -tq
    with_systemd systemctl reload-or-restart nginx
}

step_start() {
    systemctl enable --now sweepbook-web.socket sweepbook-web sweepbook-worker sweepbook-beat sweepbook-referee
}

# --- what steps use ---

# owned OWNER MODE PATH …: make folders, or set owner and mode of a file.
owned() {
    local owner=$1 mode=$2 path
    shift 2
    for path in "$@"; do
        [ -e "$path" ] || mkdir -p "$path"
        [ -n "$ROOT" ] || chown "$owner" "$path"
        chmod "$mode" "$path"
    done
}

# rendered FROM TO: copy, with the host and the folders of this installation.
rendered() {
    sed -e "s|example\.org|$HOST|g" -e "s|/srv/sweepbook|$CODE|g" \
        -e "s#\([ =:]\)/\(etc/sweepbook\|var/cache/\|var/lib/\|var/log/nginx\|var/www\|run/sweepbook\)#\1$ROOT/\2#g" "$1" >"$2"
}

with_systemd() {
    if [ -d /run/systemd/system ] && [ -z "$ROOT" ]; then "$@"; fi
}

as_postgres() {
    (cd / && runuser -u postgres -- "$@")
}

usage() {
    sed -n '2,7s/^# \{0,1\}//p' "$0"
    echo "STEPS: ${STEPS[*]}; after a certificate was issued: use_certificate"
    exit 2
}

[ $# -ge 1 ] || usage
HOST=$1
shift
[[ $HOST =~ ^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$ ]] || usage
[ $# -gt 0 ] || set -- "${STEPS[@]}"
for step in "$@"; do
    declare -F "step_$step" >/dev/null || usage
done
for step in "$@"; do
    echo "--- $step"
    "step_$step"
done
