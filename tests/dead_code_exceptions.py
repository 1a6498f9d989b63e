"""Names that a library looks up, or that are only written: patterns of ``fnmatch``, beside who reads them."""

EXCEPTIONS = (
    # Settings, address tables and applications: Django
    *(
        "ACCOUNT_*",
        "CELERY_*",
        "CORS_*",
        "CSRF_*",
        "MFA_*",
        "SECURE_*",
        "STATIC*_*",
        "USE_*",
        "AUTH_*",
        "LOG*_URL",
        "*_UPLOAD_MAX_*",
    ),
    *(
        "CACHES",
        "DATABASES",
        "DEFAULT_AUTO_FIELD",
        "EMAIL_TIMEOUT",
        "FILE_UPLOAD_HANDLERS",
        "INSTALLED_APPS",
        "LOGGING",
    ),
    *(
        "MIDDLEWARE",
        "REST_FRAMEWORK",
        "ROOT_URLCONF",
        "SESSION_ENGINE",
        "SILENCED_SYSTEM_CHECKS",
        "STORAGES",
        "TEMPLATES",
    ),
    *("TIME_ZONE", "X_FRAME_OPTIONS", "ASGI_APPLICATION", "WHITENOISE_*"),
    *("urlpatterns", "handler[45]*", "*Config", "verbose_name", "constraints", "ordering", "requires_system_checks"),
    # Commands, forms, middleware, upload handlers, converters of addresses, feeds, stores: Django
    *("add_arguments", "clean_*", "help_texts", "success_url", "process_view", "process_exception", "regex", "to_url"),
    *(
        "handle_raw_input",
        "receive_data_chunk",
        "file_complete",
        "content_length",
        "get_available_name",
        "max_length",
        "_patterns",
    ),
    *("item_*", "feed_*", "subtitle", "arity", "output_field", "keep_alive", "globals"),
    # The admin
    *("list_*", "search_fields", "readonly_fields", "raw_id_fields", "inlines", "fk_name", "action_form"),
    *(
        "show_full_result_count",
        "has_*_permission",
        "has_permission",
        "get_exclude",
        "get_deleted_objects",
        "extra_context",
    ),
    # The API: djangorestframework and drf-spectacular
    *("*_classes", "default_code", "authenticate_header", "get_permissions", "extra_kwargs", "validate*", "force"),
    *("target_class", "match_subclasses", "map_serializer*", "get_security_definition", "get_summary", "generator"),
    *("ApiSessionScheme", "auto_schema", "get_override_parameters", "get_request_serializer"),
    # Accounts: django-allauth
    *("pre_authenticate", "shallow", "email_verification", "get_client_ip", "get_totp_label", "get_*_url"),
    # numba, channels, prometheus-client
    *("get_source_stamp", "base_send", "ValueClass"),
    # Values that come from outside or go there: a choice of a form, a bit of the protocol, columns read by their place
    *(
        "BY_OWNER",
        "COARSE_CLOCK",
        "beginner_id",
        "intermediate_id",
        "expert_id",
        "sketch_[1-6]",
        "usual_ms",
        "speed_95_px_per_ms",
        "button_place",
    ),
    # The benchmark of the solver writes the table that its page shows
    "write_stages",
    # Operations of migrations
    "AddIndexWhileServing",
)
