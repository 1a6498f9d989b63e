"""Backups of a site: its database and its replay files, in one folder."""
