"""Versions of programs that are not on the list: what came with them, and staff's yes to one."""
