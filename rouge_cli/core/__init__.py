"""The compiled core: what NumPy does in `text`, `metrics` and `scoring`, once more in C.

NumPy stays the reference, and the fallback where the core is not built. Both give the same digits.
"""
