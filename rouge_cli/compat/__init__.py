"""The interface of Google's ``rouge_score``, with the numbers of ROUGE-1.5.5.

``from rouge_cli.compat import rouge_scorer, scoring`` in place of ``from rouge_score import
rouge_scorer, scoring`` is the only change in a program. With ``like="google"`` the numbers are
those of that package instead, to the last bit, so that one can see what the change does.
"""
