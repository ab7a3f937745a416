"""The files of a working tree by their paths, what its manifests say, what an import leads to."""
