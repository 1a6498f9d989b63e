"""Django settings.  Every value that differs between installations is read through ``config.env``."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote

import environ
from celery.schedules import crontab
from django.utils.translation import gettext_lazy as _

from analysis import limits
from config import env, redis_urls
from config.site import files
from players.people.flags import flag_files
from players.web import redis_clients

env.require_readable()
BASE_DIR = env.BASE_DIR
SILENCED_SYSTEM_CHECKS = [
    "security.W005", "security.W021",  # HSTS_SUBDOMAINS decides: it would bind every other service of the domain too
]  # fmt: skip
DATA_DIR = env.value("DATA_DIR").resolve()
DATA_DIR.mkdir(parents=True, exist_ok=True)
DEBUG = env.value("DEBUG")

SECRET_KEY = env.value("SECRET_KEY") or files.secret_key(DATA_DIR)
if not SECRET_KEY:
    if not DEBUG:
        env.refuse("SECRET_KEY is not set. `make run` makes one in DATA_DIR; elsewhere put it in .env.")
    SECRET_KEY = "debug-only"  # noqa: S105 - refused above unless DEBUG is on

#: For as long as sessions, cursors and second factors of the former key shall be read.
SECRET_KEY_FALLBACKS = env.value("SECRET_KEY_FALLBACKS")

SITE_URL = env.value("SITE_URL").rstrip("/")
ALLOWED_HOSTS = env.value("ALLOWED_HOSTS")
CSRF_TRUSTED_ORIGINS = env.value("CSRF_TRUSTED_ORIGINS")

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.sessions",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_htmx",
    "corsheaders",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "players",
    "replays",
    "replays.play",
    "config",
]

MIDDLEWARE = [
    "config.monitoring.request_log.RouteMiddleware",
    "config.http.health.ProbeMiddleware",
    "config.http.compression.CompressionMiddleware",
    "corsheaders.middleware.CorsMiddleware",
    "players.web.middleware.RateLimitMiddleware",
    "players.web.middleware.ApiProblemMiddleware",
    "players.web.middleware.ApiCachingMiddleware",
    "config.http.host.HostMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "config.http.charset.CharsetMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.http.csp.ContentSecurityPolicyMiddleware",  # static files are no documents and start no workers: no policy
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "config.http.slash.ApiSlashMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "players.accounts.language_middleware.PreferencesMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "players.web.middleware.BanMiddleware",
    "players.web.middleware.ProblemMiddleware",
]

#: Pages of every origin may read the API and the files of dumps, with a token but without the cookies of this site.
CORS_URLS_REGEX = r"^/(api/v1|data/[^/]+)/"
CORS_ALLOW_ALL_ORIGINS = True
CORS_ALLOW_HEADERS = (
    "accept", "accept-language", "authorization", "content-type", "if-none-match", "last-event-id", "range",
)  # fmt: skip
CORS_EXPOSE_HEADERS = (
    "content-disposition", "content-range", "etag", "link", "location", "ratelimit", "ratelimit-policy", "retry-after",
)  # fmt: skip
CORS_PREFLIGHT_MAX_AGE = 86400

#: Addresses whose responses depend on no account and no session; a regular expression of whole paths.
SAME_FOR_EVERYBODY = r"/replays/\d+/(film|odds|route|card\.png|frame\.png)|/film/formula|/embed/.*|/data/[^/]+/[^/]+"

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"

TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "NAME": "django",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.debug",
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "replays.trust.ownership.context.games_waiting",
            ],
        },
    },
    {
        "BACKEND": "django.template.backends.jinja2.Jinja2",
        "NAME": "rows",
        "DIRS": [BASE_DIR / "templates" / "rows"],
        "OPTIONS": {"environment": "config.jinja.environment", "trim_blocks": True, "keep_trailing_newline": False},
    },
]


def _database() -> dict[str, Any]:
    url = env.value("DATABASE_URL")
    embedded = {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": files.DATABASE_NAME,
        "USER": files.DATABASE_USER,
        "HOST": str(files.database_socket_folder(DATA_DIR)),
        "PORT": files.DATABASE_PORT,
    }
    database: dict[str, Any] = environ.Env.db_url_config(url) if url else embedded
    if url:
        database["HOST"] = unquote(database["HOST"])  # libpq's form of a socket's folder: postgres://%2Fvar%2Frun/name
    # No CONN_MAX_AGE: under ASGI each request may run in another thread, and persistent connections pile up.
    options = database.setdefault("OPTIONS", {})
    # Compiling a statement takes PostgreSQL longer than any page of ours may take; and to remember what it
    # looks up for fifty rows it makes room for all rows of the board, which takes milliseconds.
    options.setdefault("options", "-c jit=off -c enable_memoize=off")
    # Opening none ahead keeps idle processes (beat, commands) off the server's limit.
    # After so many seconds without a server the pool begins anew at the next request: else the pauses between
    # its tries grow to minutes, for which the site would stay down behind a long outage.
    options["pool"] = {
        "min_size": 0, "max_size": 8, "reconnect_timeout": 10,
        "timeout": 10,  # for one of them; then the answer is 503, and the thread is free for others
    }  # fmt: skip
    # A connection that a restart of PostgreSQL has ended is replaced before a request gets it.
    database["CONN_HEALTH_CHECKS"] = True
    return database


DATABASES = {"default": _database()}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "players.User"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("zh-hans", _("Simplified Chinese"))]
LOCALE_PATHS = [BASE_DIR / "config" / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

STATIC_URL = "static/"
#: Pictures of flags by country, as ``flags/de.gif``: the files of a package that is no app of ours.
STATICFILES_DIRS = [("flags", flag_files())]
STATIC_ROOT = DATA_DIR / "static"
_STATIC_BACKEND = (
    "django.contrib.staticfiles.storage.StaticFilesStorage" if DEBUG else "config.static_files.StaticFilesStorage"
)
WHITENOISE_MANIFEST_STRICT = False

REPLAY_FILES_DIR = DATA_DIR / "replays"
KEPT_DIR = DATA_DIR / "kept"
KEPT_MB = env.value("KEPT_MB")
_REPLAY_STORAGE: dict[str, Any] = {
    "BACKEND": "replays.models.file_store.ReplayFileStorage",
    "OPTIONS": {"location": REPLAY_FILES_DIR},
}
REPLAY_BUCKET = env.value("REPLAY_BUCKET")
if REPLAY_BUCKET:
    _REPLAY_STORAGE = {
        "BACKEND": "storages.backends.s3.S3Storage",
        "OPTIONS": {"bucket_name": REPLAY_BUCKET, "file_overwrite": True},
    }
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": {"location": DATA_DIR / "media"}},
    "staticfiles": {"BACKEND": _STATIC_BACKEND},
    "replays": _REPLAY_STORAGE,
}

REDIS_URL = env.value("REDIS_URL") or files.broker_url(DATA_DIR)


# Database 1 (the broker has 0), since clearing the cache must not delete queued tasks.
CACHE_URL = env.value("CACHE_URL") or (
    redis_urls.client_url(REDIS_URL, redis_urls.database_of(REDIS_URL) + 1) if REDIS_URL else ""
)

CACHES = {
    "default": {
        "BACKEND": "config.cache.TolerantRedisCache",
        "LOCATION": redis_urls.client_url(CACHE_URL),
        "OPTIONS": {
            **redis_clients.options(),
            "serializer": "config.cache.MsgpackSerializer",
        },
    }
    if CACHE_URL
    else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
    # Parts of pages that are the same for everybody, in each process.
    "local": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "local",
        "OPTIONS": {"MAX_ENTRIES": 2_000},
    },
}
# Sessions live in the database: a broker that is down must not sign people out.
SESSION_ENGINE = "django.contrib.sessions.backends.db"

# --- domain ---
MINIMUM_3BV = env.value("MINIMUM_3BV")
MINIMUM_COMPLETION = env.value("MINIMUM_COMPLETION")
FILTERED_BOARDS_MB = env.value("FILTERED_BOARDS_MB")
JUDGE_FINDINGS = env.value("JUDGE_FINDINGS")  # None: as replays.trust.judging.default_rules; so also the limits
JUDGE_LIMITS = env.value("JUDGE_LIMITS")
RANK_OPEN_FORMATS = env.value("RANK_OPEN_FORMATS")
PROVISIONAL_DAYS = env.value("PROVISIONAL_DAYS")
PROVISIONAL_LIMITS = env.value("PROVISIONAL_LIMITS")
#: The server through which web processes and the referee of rooms talk; without one there are no rooms.
PLAY_BUS_URL = redis_urls.client_url(REDIS_URL) if REDIS_URL else ""
ANONYMOUS_UPLOADS = env.value("ANONYMOUS_UPLOADS")
UPLOAD_QUOTA_FILES = env.value("UPLOAD_QUOTA_FILES")
UPLOAD_QUOTA_MB = env.value("UPLOAD_QUOTA_MB")
SITE_CONTACT = env.value("SITE_CONTACT")
DATA_LICENCE = env.value("DATA_LICENCE")
DUMP_DIR = (env.value("DUMP_DIR") or DATA_DIR / "dumps").resolve()
DUMPS_KEPT = env.value("DUMPS_KEPT")
MINIMUM_FREE_MB = env.value("MINIMUM_FREE_MB")
RANK_LEFT_CHORDS = env.value("RANK_LEFT_CHORDS")
RANK_TOUCH = env.value("RANK_TOUCH")
CLIPS_MB = env.value("CLIPS_MB")
PLAY_SOCKETS_OF_ADDRESS = env.value("PLAY_SOCKETS_OF_ADDRESS")
NUM_PROXIES = env.value("NUM_PROXIES")
# Beside the broker, not in the cache, which may forget: filling it would give everybody new quotas.
RATE_LIMITS_URL = (
    redis_urls.limits_url(redis_urls.client_url(REDIS_URL, redis_urls.database_of(REDIS_URL) + 1))
    if REDIS_URL
    else "memory://"
)
METRICS_DIR = DATA_DIR / "metrics"
METRICS_TOKEN = env.value("METRICS_TOKEN")
#: /readyz names beat, the workers and the referee after so long without a sign of life.  Beat gives one every ten seconds,
#: workers every two.
READY_AGE_SECONDS = 40
#: /readyz names the queue when an upload has waited so long for its analysis.
READY_QUEUE_SECONDS = 900

# One more than the limit reaches our own check, whose answer is clearer than Django's.
DATA_UPLOAD_MAX_NUMBER_FILES = limits.UPLOAD_MAX_FILES + 1
DATA_UPLOAD_MAX_MEMORY_SIZE = limits.MAX_FIELDS_BYTES
FILE_UPLOAD_HANDLERS = [
    "replays.upload.intake.multipart.NamesInAnyEncoding",
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "django.core.files.uploadhandler.TemporaryFileUploadHandler",
]
FILE_UPLOAD_MAX_MEMORY_SIZE = limits.MEMORY_BYTES

# --- background work ---
CELERY_BROKER_URL = redis_urls.celery_url(REDIS_URL or "redis://127.0.0.1:6379/0")
CELERY_ACCEPT_CONTENT = ["json"]  # a pickled message could run code
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = {
    # A message that no worker acknowledged is delivered again after this; longer than any task may run.
    "visibility_timeout": 300,
    "socket_connect_timeout": 2,
    "socket_timeout": 10,
    "retry_policy": {"timeout": 2.0},
    "queue_order_strategy": "priority",  # the queues in the order below, instead of in turn
}
# A worker takes all unless it is started with `-Q`, in this order: clips, for which people wait, come when no upload waits
# for its analysis, and luck when no clip does.
CELERY_TASK_QUEUES: dict[str, dict[str, Any]] = {"celery": {}, "clips": {}, "luck": {}}
CELERY_TASK_DEFAULT_QUEUE = "celery"
CELERY_TASK_ROUTES = {"replays.clip": {"queue": "clips"}} | {
    name: {"queue": "luck"}
    for name in (
        "replays.analyse_again",
        "replays.luck",
        "replays.compare_similar",
        "replays.delete_account",
        "replays.dump",
        "replays.check_files",
    )
}
CELERY_TASK_PUBLISH_RETRY = False  # a broker that is down must not hold an upload: the row waits, the sweep queues it
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = False  # the sweep queues lost work again, and counts the attempts
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_TIME_LIMIT = 60
CELERY_TASK_SOFT_TIME_LIMIT = CELERY_TASK_TIME_LIMIT - 10
#: A replay that has been queued or running this long is queued again; longer than any task may run.
STALE_AFTER_SECONDS = 90
SWEEP_EVERY_SECONDS = 20.0
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULE = {
    "sweep-stale-replays": {"task": "replays.sweep", "schedule": SWEEP_EVERY_SECONDS},
    "finalise-provisional-games": {"task": "replays.finalise", "schedule": 600.0},
    "sweep-rooms": {"task": "play.sweep_rooms", "schedule": 600.0},
    "delete-rejected-files": {"task": "replays.delete_rejected_files", "schedule": 3_600.0},
    "check-files": {"task": "replays.check_files", "schedule": 3_600.0},
    "sweep-live-games": {"task": "play.sweep", "schedule": SWEEP_EVERY_SECONDS},
    "delete-unkept-live-games": {"task": "play.delete_unkept", "schedule": 3_600.0},
    "count-site": {"task": "replays.count_site", "schedule": 60.0},
    "compare-similar-games": {"task": "replays.compare_similar", "schedule": 60.0},
    "make-quantiles": {"task": "replays.quantiles", "schedule": 3_600.0},
    "count-busy-boards": {"task": "players.count_boards", "schedule": 10.0},
    "make-popular-boards": {"task": "players.make_popular_boards", "schedule": 60.0},
    "delete-clips": {"task": "replays.delete_clips", "schedule": 3_600.0},
    "dump-public-data": {"task": "replays.dump", "schedule": crontab(hour="3", minute="17")},
    "delete-old-level-changes": {"task": "players.delete_old_level_changes", "schedule": 3_600.0},
}

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        # The first one names the way in: whoever is not known is answered 401, not 403.
        "players.tokens.token_authentication.TokenAuthentication",
        "players.web.authentication.ApiSessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticatedOrReadOnly"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": [
        "players.web.parsers.JsonParser",
        "rest_framework.parsers.FormParser",
        "rest_framework.parsers.MultiPartParser",
    ],
    "DEFAULT_SCHEMA_CLASS": "players.tokens.token_schema.ScopeSchema",
    "NUM_PROXIES": NUM_PROXIES,
    "EXCEPTION_HANDLER": "players.web.api.handle_exception",
    "URL_FORMAT_OVERRIDE": None,  # `?format=avf` is a filter of the list of replays
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Sweepbook API",
    "DESCRIPTION": "Replays, players and leaderboards of competitive Minesweeper.  `docs/start/` is where to begin.",
    "VERSION": "1.0.0",
    "SERVERS": [{"url": SITE_URL, "description": "This site."}],
    "SERVE_INCLUDE_SCHEMA": False,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "config.api.openapi.complete",
    ],
    "ENUM_NAME_OVERRIDES": {
        "RoomStateEnum": "replays.play.models.Room.State",
        "JudgementEnum": "replays.models.Replay.Judgement",
        "OwnershipEnum": "replays.models.Replay.Ownership",
        "ResultEnum": "replays.models.Replay.Result",
        "LiveStateEnum": "replays.play.models.LiveGame.State",
        "LiveResultEnum": "replays.play.solo.serializers.RESULTS",
        "RulesEnum": "replays.play.models.LiveGame.Rules",
        "SolverRulesEnum": "replays.odds.solver_page.selectors.RULES",
    },
    "TAGS": [
        {"name": "replays", "description": "Games and their files: upload, lists, one replay, film, review and luck."},
        {"name": "leaderboards", "description": "Who is best at what."},
        {"name": "records", "description": "Since when somebody is best."},
        {"name": "players", "description": "Players, their bests and ranks."},
        {"name": "statistics", "description": "The meaning of every number."},
        {"name": "search", "description": "Players, replays, boards, words and pages by a text."},
        {"name": "changes", "description": "For mirrors: changes as they happen."},
        {"name": "events", "description": "For bots: records and bests as a stream."},
        {"name": "data", "description": "Dumps of everything."},
        {"name": "play", "description": "Live play: tickets, single games, rooms and their boards."},
        {"name": "watch", "description": "Any file without an upload."},
        {"name": "probability", "description": "Mine probabilities of any position."},
        {"name": "solver", "description": "The solver's moves and games."},
        {"name": "me", "description": "Your start page, uploads and batches."},
        {"name": "account", "description": "Your settings and your data."},
        {"name": "index", "description": "Where to begin."},
    ],
    # Requests have components of their own: a file is bytes in a request.
    "COMPONENT_SPLIT_REQUEST": True,
}

# --- security ---
HTTPS = env.value("HTTPS")
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
if HTTPS:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_HSTS_SECONDS = 60 * 60 * 24 * 365
    # Not without being asked: for a year browsers would refuse every other service of a subdomain that has no HTTPS.
    SECURE_HSTS_INCLUDE_SUBDOMAINS = env.value("HSTS_SUBDOMAINS")
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

DEFAULT_FROM_EMAIL = env.value("DEFAULT_FROM_EMAIL")
_EMAIL = environ.Env.email_url_config(env.value("EMAIL_URL"))
if _EMAIL["EMAIL_BACKEND"] == "django.core.mail.backends.smtp.EmailBackend":
    _EMAIL["EMAIL_BACKEND"] = "players.accounts.mail_backend.BackgroundEmailBackend"
vars().update(_EMAIL)
EMAIL_TIMEOUT = 10
#: Whether letters reach anybody: the backends "console" and "dummy" send nothing.
EMAIL_IS_SENT = _EMAIL["EMAIL_BACKEND"].split(".")[-2] not in {"console", "dummy"}

# --- accounts (django-allauth) ---
ACCOUNT_ADAPTER = "players.accounts.adapters.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
ACCOUNT_FORMS = {
    "login": "players.accounts.forms.SignInForm",
    "signup": "players.accounts.forms.SignUpForm",
    "add_email": "players.accounts.forms.AddressForm",
    "change_password": "players.accounts.forms.PasswordChangeForm",
    "reauthenticate": "players.accounts.forms.ReauthenticateForm",
    "reset_password": "players.accounts.forms.ResetLetterForm",
    "reset_password_from_key": "players.accounts.forms.PasswordResetForm",
}
# An address is optional, which allauth cannot combine with "mandatory".  `players.accounts.stages` makes accounts that
# have one verify it before they sign in, if EMAIL_IS_SENT.
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_CHANGE_EMAIL = True  # one address an account; a new one replaces it when it is verified
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_PREVENT_ENUMERATION = "strict"  # a sign-up with the address of another account looks like any other
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_SIGNUP_REDIRECT_URL = "upload"
# Counted in the cache, which all processes share.  The address is that of `players.web.rate_limits.client_address`.
ACCOUNT_RATE_LIMITS = {
    "login": "60/10m/ip",
    "wrong_password_visitor": "10/15m/key",  # one account from one address, or from one browser that it knows
    "wrong_password_address": "30/10m/ip",
    "wrong_password_account": "100/h/key",  # one account from all addresses but for browsers that it knows
    "login_failed": "10/15m/key",  # codes of the second factor, for one account
    "signup": "20/h/ip",
    "reset_password": "10/h/ip,3/h/key",  # the key is the e-mail address
    "reset_password_from_key": "20/h/ip",
    "change_password": "5/10m/user",
    "reauthenticate": "10/15m/user",
    "manage_email": "10/h/user",
    "confirm_email": "1/3m/key",
}
STAFF_SECOND_FACTOR = env.value("STAFF_SECOND_FACTOR")
MFA_ADAPTER = "players.accounts.adapters.SecondFactorAdapter"
MFA_ALLOW_UNVERIFIED_EMAIL = True  # it counts for nothing until it is verified
MFA_FORMS = {
    "authenticate": "players.accounts.forms.CodeForm",
    "reauthenticate": "players.accounts.forms.CodeAgainForm",
    "activate_totp": "players.accounts.forms.FirstCodeForm",
}
MFA_TOTP_ISSUER = "Sweepbook"
MFA_TOTP_TOLERANCE = 1  # clocks of telephones are not exact
MFA_RECOVERY_CODES_SHOW_ONCE = True

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "text": {"()": "config.monitoring.log_lines.LineFormatter"},
        "json": {"()": "config.monitoring.log_lines.JsonFormatter"},
    },
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": env.value("LOG_FORMAT")}},
    "root": {"handlers": ["console"], "level": env.value("LOG_LEVEL")},
    "loggers": {
        # Whatever Celery makes of the level of root.
        "sweepbook": {"level": env.value("LOG_LEVEL") if env.value("LOG_REQUESTS") else "WARNING"},
        # The lines of the web server go the same way as all others.
        "uvicorn": {"handlers": [], "propagate": True},
        "uvicorn.error": {"level": "WARNING"},  # at INFO it writes the address of each socket, with its query
        # Its own line of a request has the query, which may have a secret; ours is `sweepbook.requests`.
        "uvicorn.access": {"handlers": [], "propagate": False, "level": "WARNING"},
    },
}
