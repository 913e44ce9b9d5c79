"""The Python interface behind `rouge_cli`: lists and files become results that can be printed."""
