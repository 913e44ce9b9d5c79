"""What scores are held against: conditions on them, and an earlier run."""
