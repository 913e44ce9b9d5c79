"""How reports are written: each file has a function `write`, named in `REPORT_KINDS`."""
