"""A plain and slow twin of every metric, written from the specification alone.

Nothing here imports the package under test.  Every function is a literal
transcription of one rule, with loops over tokens and full tables, so that it
can be read against the specification line by line.  The tests compare the
fast engine with it on generated texts.
"""
