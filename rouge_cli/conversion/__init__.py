"""Any layout to any other, with the same scores."""
