"""The kernel's own methods for the page, `Kernel.*`, over a comm: variables, errors, completion."""
