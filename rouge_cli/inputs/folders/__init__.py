"""Folders of texts: the names of the files say which belong together."""
