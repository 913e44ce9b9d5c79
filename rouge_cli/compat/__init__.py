"""The interface of Google's ``rouge_score``, with the numbers of ROUGE-1.5.5.

A program changes only ``from rouge_score import rouge_scorer, scoring`` into ``from
rouge_cli.compat import rouge_scorer, scoring``. With ``like="google"`` the numbers are those of
that package, to the last bit, which shows what the change does.
"""
