"""The Python interface behind `rouge_cli`: lists and files to results that show themselves."""
