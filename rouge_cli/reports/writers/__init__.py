"""How reports are written: `REPORT_KINDS` names the function of each kind."""
