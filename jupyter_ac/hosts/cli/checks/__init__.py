"""What `jupyter ac doctor` looks at: one small function for each line that it prints."""
