"""The feed of changes, for programs that follow the site: ``docs/decisions/003-changes.md``."""
