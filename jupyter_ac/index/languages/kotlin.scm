(package_header (qualified_identifier) @package)

(class_declaration
  "class"
  name: (identifier) @name
  (primary_constructor (class_parameters) @parameters)?
  (delegation_specifiers
    (delegation_specifier
      [(user_type) @bases (constructor_invocation . (user_type) @bases)
       (explicit_delegation . (user_type) @bases)])+)?
  (class_body)? @body) @class

; What else an enumeration has is found above.
(class_declaration name: (identifier) @name (enum_class_body) @body) @enum

; Behind other annotations the grammar takes it for three names.
((infix_expression . (identifier) @_annotation . (identifier) @_class . (identifier) @name .) @class
 (#eq? @_annotation "annotation")
 (#eq? @_class "class"))

(class_declaration
  "interface"
  name: (identifier) @name
  (delegation_specifiers
    (delegation_specifier
      [(user_type) @bases (constructor_invocation . (user_type) @bases)
       (explicit_delegation . (user_type) @bases)])+)?
  [(class_body) (enum_class_body)]? @body) @interface

(enum_entry (identifier) @name) @constant

(object_declaration
  name: (identifier) @name
  (delegation_specifiers
    (delegation_specifier
      [(user_type) @bases (constructor_invocation . (user_type) @bases)
       (explicit_delegation . (user_type) @bases)])+)?
  (class_body)? @body) @class

; What stands in a companion belongs to the class around it.
(companion_object name: (identifier) @name @property)

(type_alias type: (identifier) @name) @type

(function_declaration
  name: (identifier) @name
  (function_value_parameters) @parameters
  .
  [(user_type) (nullable_type) (function_type) (parenthesized_type)]? @result
  (function_body)? @body) @function

(secondary_constructor "constructor" @name (function_value_parameters) @parameters) @method

(source_file (property_declaration (variable_declaration . (identifier) @name)) @variable)

(source_file
  (property_declaration
    (multi_variable_declaration (variable_declaration . (identifier) @name))) @variable)

(class_body (property_declaration (variable_declaration . (identifier) @name)) @property)

(enum_class_body (property_declaration (variable_declaration . (identifier) @name)) @property)

((property_declaration
   (modifiers (property_modifier) @_const)
   (variable_declaration . (identifier) @name)) @constant
 (#eq? @_const "const"))

(class_parameter ["val" "var"] (identifier) @name) @property

(import (qualified_identifier) @from) @import

(import (qualified_identifier) @from ["*" @all (identifier) @alias]) @import

(call_expression . (identifier) @use)

(navigation_expression . (_) @object (identifier) @use .)

([(navigation_expression . (identifier) @use) (value_argument (identifier) @use .)]
 (#match? @use "^[A-Z]"))

(infix_expression . (_) . (identifier) @use)

(user_type . (identifier) @use . (type_arguments)? .)

(user_type . (identifier) @object (identifier) @use . (type_arguments)? .)

(callable_reference (identifier) @use .)
