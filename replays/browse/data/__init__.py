"""All that the API serves to everybody, as files: made every night, listed on a page and in the API."""
