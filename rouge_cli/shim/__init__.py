"""A folder that passes for a ROUGE-1.5.5 home, for programs that call the original."""
