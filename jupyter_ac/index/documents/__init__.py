"""Documents of a repository: their structure, what they refer to, their keywords, their map."""
