"""Limits of what is read, each with its reason.  They are checked before memory is taken."""

from __future__ import annotations

MAX_REPLAY_BYTES = 5 * 1024 * 1024  # every site of the field uses 5 MB; the largest real replay seen has 341 KB
MAX_SET_REPLAYS = 100_000  # of one EVFS file
MAX_EVENTS = 1_000_000  # the largest real replay seen has 56,659
MAX_SIDE = 255  # rows and columns are one byte in every binary format
MAX_CELL_PX = 255  # cell size is one byte
MAX_TIME_MS = 24 * 60 * 60 * 1000  # a day; the widest field (EVF v4) could say 49 days
MAX_TEXT_BYTES = 1_000  # names and program strings; binary formats allow 255
MAX_LINE_CHARS = 1_000  # one line of a text format
LEAST_COMPLETION_PERCENT = 25  # of a lost game that any site compares with others; indexes of lost games begin there

# --- uploads: an archive, then a request, then what is in memory at a time ---

ARCHIVE_MAX_FILES = 20_000  # default of the setting
ARCHIVE_MAX_BYTES = 2 * 1024**3  # unpacked; default of the setting
MAX_RATIO = 200  # deflate reaches about 1000:1 on zeros; the most regular text replay seen packs 12:1
RATIO_FREE_BYTES = 64 * 1024  # below this size any ratio is accepted
MAX_DIRECTORY_ENTRY_BYTES = 400  # 46 fixed, a name and extra fields; bounds the memory of an archive's directory

UPLOAD_MAX_FILES = 1_000  # of one request; default of the setting
WATCHED_BYTES = 512 * 1024  # a file that is shown and not kept; the largest real replay seen has 341 KB
WATCHED_FORM_BYTES = 64 * 1024  # besides it: the other parts of its form.  Both together stay below MEMORY_BYTES
SMALL_BODY_BYTES = 128 * 1024  # anybody may send so much; the largest position of the tools has 11 KB
FORM_BYTES = 1024 * 1024  # besides the largest archive: the other parts of a form, and the delimiters between its files
MAX_FIELDS_BYTES = 2 * 1024 * 1024  # all parts of a form that are not files
MAX_PART_HEADER_BYTES = 8 * 1024  # longer ones are not converted to UTF-8; Django refuses them

SCRIPT_FILES, SCRIPT_BYTES = 20, 16 * 1024 * 1024  # of one request of the page's script
BATCH_FILES, BATCH_BYTES = 200, 32 * 1024 * 1024  # stored in one transaction
MEMORY_BYTES = 1024 * 1024  # larger bodies and files go to disk while they arrive
