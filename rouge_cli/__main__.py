"""``python -m rouge_cli`` is ``rouge-cli``."""

from rouge_cli.cli.main import main

if __name__ == "__main__":
    main()
