"""The report formats; `REPORT_KINDS` names the function of each."""
