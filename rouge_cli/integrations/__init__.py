"""Modules for other programs, each loaded by the program that it is for."""
