(function_declaration
  name: (identifier) @name
  parameters: (_) @parameters
  result: (_)? @result) @function

(method_declaration
  receiver: (parameter_list
    (parameter_declaration
      type: [
        (type_identifier) @owner
        (generic_type type: (_) @owner)
        (pointer_type (type_identifier) @owner)
        (pointer_type (generic_type type: (_) @owner))
      ]))
  name: (field_identifier) @name
  parameters: (_) @parameters
  result: (_)? @result) @method

(type_spec name: (type_identifier) @name) @type

(type_alias name: (type_identifier) @name) @type

(type_spec name: (type_identifier) @name type: (struct_type (field_declaration_list) @body)) @struct

(type_spec name: (type_identifier) @name type: (interface_type "{" @body)) @interface

(type_spec
  name: (type_identifier) @name
  type: (struct_type (field_declaration_list (field_declaration !name type: (_) @bases)))) @struct

(type_spec
  name: (type_identifier) @name
  type: (interface_type (type_elem) @bases)) @interface

(field_declaration name: (field_identifier) @name) @property

(method_elem
  name: (field_identifier) @name
  parameters: (_) @parameters
  result: (_)? @result) @method

; The grammar gives the field `name` to the first one only.
((source_file (const_declaration (const_spec (identifier) @name) @constant))
 (#match? @name "[^_]"))

((source_file
   (var_declaration
     [
       (var_spec name: (identifier) @name) @variable
       (var_spec_list (var_spec name: (identifier) @name) @variable)
     ]))
 (#match? @name "[^_]"))

(import_spec path: (interpreted_string_literal) @from) @import

(import_spec name: (package_identifier) @alias path: (interpreted_string_literal) @from) @import

(import_spec name: (dot) path: (interpreted_string_literal) @from @all) @import

(call_expression function: [(identifier) (selector_expression)] @use)

(qualified_type) @use

(type_identifier) @use
