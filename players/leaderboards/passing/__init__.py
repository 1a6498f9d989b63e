"""Who passed whom on boards."""
