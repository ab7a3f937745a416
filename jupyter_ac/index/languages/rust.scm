(struct_item name: (type_identifier) @name) @struct

(union_item name: (type_identifier) @name) @struct

(enum_item name: (type_identifier) @name) @enum

(enum_variant name: (identifier) @name) @constant

(trait_item name: (type_identifier) @name bounds: (_)? @bases) @interface

(type_item name: (type_identifier) @name) @type

(associated_type name: (type_identifier) @name) @type

(mod_item name: (identifier) @name body: (_)) @module

(function_item
  name: (identifier) @name
  parameters: (_) @parameters
  return_type: (_)? @result) @function

(function_signature_item
  name: (identifier) @name
  parameters: (_) @parameters
  return_type: (_)? @result) @function

(macro_definition name: (identifier) @name) @function

[
  (const_item name: (identifier) @name)
  (static_item name: (identifier) @name)
] @constant

(field_declaration name: (field_identifier) @name) @property

(impl_item trait: (_)? @bases type: (_) @owner) @scope

(use_declaration argument: (_) @tree) @import

(mod_item name: (identifier) @submodule !body) @import

(extern_crate_declaration name: (identifier) @from alias: (identifier)? @alias) @import

(call_expression
  function: [
    (identifier) @use
    (field_expression) @use
    (scoped_identifier) @use
    (generic_function function: (_) @use)
  ])

(macro_invocation macro: [(identifier) (scoped_identifier)] @use)

(type_identifier) @use

(attribute (identifier) @use)
