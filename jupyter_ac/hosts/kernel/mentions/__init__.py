"""What the text of an `%%ac` cell mentions by `@`, such as `@var:df` or `@cell:3`."""
