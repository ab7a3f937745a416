; Elements of JSX that are components.

((jsx_opening_element name: [(identifier) (member_expression)] @use)
 (#match? @use "^[A-Z]|[.]"))

((jsx_self_closing_element name: [(identifier) (member_expression)] @use)
 (#match? @use "^[A-Z]|[.]"))
