"""Where names lead: hover, definition, references, completions, search for symbols."""
