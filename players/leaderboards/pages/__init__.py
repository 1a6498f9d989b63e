"""The pages and the API of boards: filters, opening a board at a player or value, what stands in words."""
