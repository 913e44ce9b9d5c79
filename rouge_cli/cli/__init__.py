"""The command line: options to `Options`, errors to exit codes."""
