"""API tokens: making and ending them, and the requests that carry one."""
