"""The methods on browsers: seed 003's by their own names, and all of them as `Browser.*`."""
