"""The supported languages: a module and a file of queries for each."""
