"""A branch under review: the way in, the way out, and what is kept of both."""
