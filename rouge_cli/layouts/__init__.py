"""Which texts belong together: a layout's bytes to EVALs."""
