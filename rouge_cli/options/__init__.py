"""Every option, declared once, in groups: what commands, help, completion and Python take.

Imports neither NumPy nor any part that computes, so that help and completion stay instant.
"""
