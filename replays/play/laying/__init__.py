"""The page that shows how the mines of a classic board are laid."""
