(package_clause name: (_) @package)

(package_object name: (_) @package)

; Its members belong to the package.
(package_object name: (identifier) @name @module)

(class_definition
  name: (_) @name . (type_parameters)? . (class_parameters)? @parameters
  extend: (extends_clause . type: (_) @bases (["with" ","] . type: (_) @bases)*)?) @class

(object_definition
  name: (_) @name
  extend: (extends_clause . type: (_) @bases (["with" ","] . type: (_) @bases)*)?) @class

(trait_definition
  name: (_) @name
  extend: (extends_clause . type: (_) @bases (["with" ","] . type: (_) @bases)*)?) @interface

(enum_definition
  name: (_) @name . (type_parameters)? . (class_parameters)? @parameters
  extend: (extends_clause . type: (_) @bases (["with" ","] . type: (_) @bases)*)?) @enum

[(simple_enum_case name: (_) @name) (full_enum_case name: (_) @name)] @constant

(given_definition name: (_) @name return_type: (_)? @bases) @class

(type_definition name: (_) @name) @type

(function_definition
  name: (_) @name . (type_parameters)? . (parameters)? @parameters
  return_type: (_)? @result) @function

(function_declaration
  name: (_) @name . (type_parameters)? . (parameters)? @parameters
  return_type: (_)? @result) @function

(class_parameter name: (_) @name) @property

(compilation_unit
  [
    (val_definition pattern: [(identifier) @name (tuple_pattern (identifier) @name)])
    (var_definition pattern: [(identifier) @name (tuple_pattern (identifier) @name)])
  ] @variable)

(template_body
  [
    (val_definition pattern: [(identifier) @name (tuple_pattern (identifier) @name)])
    (var_definition pattern: [(identifier) @name (tuple_pattern (identifier) @name)])
    (val_declaration name: (_) @name)
    (var_declaration name: (_) @name)
  ] @property)

(import_declaration ["import" ","] . path: (_) @from . ("." . path: (_) @from)*) @import

(import_declaration
  ["import" ","] . path: (_) @from . ("." . path: (_) @from)*
  . "." . (namespace_wildcard) @all) @import

(import_declaration
  ["import" ","] . path: (_) @from . ("." . path: (_) @from)*
  . "." . (namespace_selectors (identifier) @item)) @import

(import_declaration
  ["import" ","] . path: (_) @from . ("." . path: (_) @from)*
  . "." . (namespace_selectors (namespace_wildcard) @all)) @import

(import_declaration
  ["import" ","] . path: (_) @from . ("." . path: (_) @from)*
  . "." . (namespace_selectors (_ name: (_) @item alias: (identifier) @item_alias))) @import

(type_identifier) @use

[(call_expression function: (identifier) @use) (generic_function function: (identifier) @use)]

(field_expression value: (_) @object field: (_) @use)

((field_expression value: (identifier) @use)
 (#match? @use "^[A-Z]"))

(infix_expression operator: (identifier) @use)

(infix_expression operator: (identifier) right: (identifier) @use)

(arguments [(identifier) @use (assignment_expression right: (identifier) @use)])
