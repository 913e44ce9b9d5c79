"""The compiled core: the metrics, the reading of texts and the draws once more, in C.

The reference in Python says what they return, and works where there is no core.
"""
