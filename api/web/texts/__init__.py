"""The texts of the page, one file a language."""
