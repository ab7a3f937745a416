"""What is measured, as it runs for a user: a Jupyter server with the extension, and its rivals."""
