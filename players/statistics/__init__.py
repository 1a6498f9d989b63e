"""What every number means: the registry as a page and in the API."""
