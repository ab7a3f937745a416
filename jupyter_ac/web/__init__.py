"""Pages of the web: addresses in text, rules of access, downloads, their text, the cache."""
