"""Which files an import leads to, language by language, from the paths of the tree alone."""
