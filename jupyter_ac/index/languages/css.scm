(rule_set (selectors) @name) @rule

((declaration (property_name) @name) @variable (#match? @name "^--"))

(keyframes_statement (keyframes_name) @name) @rule

(import_statement (string_value (string_content) @from)) @import

(import_statement
  (call_expression (arguments [(string_value (string_content) @from) (plain_value) @from]))) @import

((call_expression (function_name) @_var (arguments . (plain_value) @use)) (#eq? @_var "var"))
