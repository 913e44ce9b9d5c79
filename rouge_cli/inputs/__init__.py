"""All that is read: layouts to EVALs, files to texts, formats to sentences."""
