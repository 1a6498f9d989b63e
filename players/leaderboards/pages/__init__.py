"""The pages and the API of boards: filter form, jumps to a player or value, texts."""
