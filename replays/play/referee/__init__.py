"""The process that decides every move of the rooms."""
