"""What the pages and the API of every feature share: parameters, errors, addresses, the visitor, drawings."""
