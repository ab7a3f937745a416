"""The two servers and the client of the wire's benchmark."""
