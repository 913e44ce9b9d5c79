"""What a run reads: from the names that a layout gives to blocks of texts."""
