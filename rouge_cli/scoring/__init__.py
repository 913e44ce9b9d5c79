"""The pipeline: EVALs to scores, with all that the original does between counts and print."""
