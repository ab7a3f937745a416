"""The stand-alone server, `jupyter ac serve`: one repository, one port of the loopback address."""
