[
  (class_declaration name: (type_identifier) @name (class_heritage)? @bases)
  (abstract_class_declaration name: (type_identifier) @name (class_heritage)? @bases)
] @class

(interface_declaration
  name: (type_identifier) @name
  (extends_type_clause)? @bases) @interface

(type_alias_declaration name: (type_identifier) @name) @type

(enum_declaration name: (identifier) @name) @enum

(enum_body name: (property_identifier) @name @constant)

(enum_body (enum_assignment name: (property_identifier) @name) @constant)

[
  (internal_module name: (_) @name)
  (module name: (_) @name)
] @module

(function_signature
  name: (identifier) @name
  parameters: (_) @parameters
  return_type: (_)? @result) @function

(function_declaration
  name: (identifier) @name
  parameters: (_) @parameters
  return_type: (_) @result) @function

(ambient_declaration
  [
    (lexical_declaration (variable_declarator name: (identifier) @name) @variable)
    (variable_declaration (variable_declarator name: (identifier) @name) @variable)
  ])

(statement_block
  (export_statement
    declaration: (lexical_declaration (variable_declarator name: (identifier) @name) @variable)))

(variable_declarator
  name: (identifier) @name
  value: (arrow_function return_type: (_) @result)) @function

(method_definition name: (property_identifier) @name return_type: (_) @result) @method

(method_signature
  name: (property_identifier) @name
  parameters: (_) @parameters
  return_type: (_)? @result) @method

(abstract_method_signature
  name: (property_identifier) @name
  parameters: (_) @parameters
  return_type: (_)? @result) @method

(interface_body (property_signature name: (property_identifier) @name) @property)

(public_field_definition
  name: [(property_identifier) (private_property_identifier)] @name) @property

(public_field_definition
  name: [(property_identifier) (private_property_identifier)] @name
  value: (arrow_function
    parameters: (_) @parameters
    return_type: (_)? @result
    body: (_) @body)) @method

(import_statement
  (import_require_clause
    (identifier) @alias
    source: (string (string_fragment) @from))) @import

(extends_clause value: [(identifier) (member_expression)] @use)

(decorator (identifier) @use)

(type_identifier) @use

(nested_type_identifier) @use
