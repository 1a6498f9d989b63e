"""The API as a whole: its index, its schema and its documentation."""
