"""``python -m rouge_cli`` is ``rouge-cli``."""

from rouge_cli.cli.entry import main

if __name__ == "__main__":
    main()
