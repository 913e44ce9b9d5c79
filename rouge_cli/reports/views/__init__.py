"""What each result shows: as tables with notes, as rows of tidy data, as dictionaries."""
