"""The declarations of all options, from which commands, help, completion and Python derive theirs.

Nothing here imports NumPy or anything that computes, so help and completion stay instant.
"""
