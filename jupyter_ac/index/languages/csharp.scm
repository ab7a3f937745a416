(namespace_declaration name: (_) @package)

(file_scoped_namespace_declaration name: (_) @package)

(namespace_declaration name: (_) @name) @module

(class_declaration name: (identifier) @name (base_list)? @bases) @class

(record_declaration name: (identifier) @name (parameter_list)? @parameters (base_list)? @bases) @class

; What is given to the constructor in the head of a type is known in all of it.
([
   (class_declaration (parameter_list (parameter name: (identifier) @name) @property))
   (record_declaration (parameter_list (parameter name: (identifier) @name) @property))
   (struct_declaration (parameter_list (parameter name: (identifier) @name) @property))
 ])

(struct_declaration name: (identifier) @name (base_list)? @bases) @struct

(interface_declaration name: (identifier) @name (base_list)? @bases) @interface

(enum_declaration name: (identifier) @name) @enum

(enum_member_declaration name: (identifier) @name) @constant

(delegate_declaration type: (_) @result name: (identifier) @name parameters: (_) @parameters) @type

(method_declaration
  returns: (_) @result
  name: (identifier) @name
  parameters: (_) @parameters) @method

(constructor_declaration name: (identifier) @name parameters: (_) @parameters) @method

[
  (field_declaration (variable_declaration (variable_declarator name: (identifier) @name)))
  (event_field_declaration (variable_declaration (variable_declarator name: (identifier) @name)))
  (event_declaration name: (identifier) @name)
] @property

((field_declaration
   (modifier) @_const
   (variable_declaration (variable_declarator name: (identifier) @name))) @constant
 (#eq? @_const "const"))

(property_declaration type: (_) @result name: (identifier) @name) @property

(local_function_statement
  type: (_) @result
  name: (identifier) @name
  parameters: (_) @parameters) @function

(using_directive . [(identifier) (qualified_name)] @from @all .) @import

(using_directive name: (identifier) @alias [(identifier) (qualified_name name: (identifier))] @from .) @import

(using_directive
  name: (identifier) @item_alias
  (qualified_name qualifier: (_) @from name: (generic_name (identifier) @item)) .) @import

(member_access_expression
  expression: _ @object
  name: [(identifier) @use (generic_name (identifier) @use)])

(conditional_access_expression
  condition: (_) @object
  (member_binding_expression name: [(identifier) @use (generic_name (identifier) @use)]))

[
  (invocation_expression function: (identifier) @use)
  (generic_name (identifier) @use)
  (attribute name: (identifier) @use)
  (argument (identifier) @use)
  (as_expression right: (identifier) @use)
  (constant_pattern (identifier) @use)
  (_ type: [(identifier) (qualified_name name: (identifier))] @use)
  (_ returns: [(identifier) (qualified_name name: (identifier))] @use)
  (base_list [(identifier) (qualified_name name: (identifier))] @use)
  (type_argument_list [(identifier) (qualified_name name: (identifier))] @use)
]
