"""Players who passed others on boards."""
