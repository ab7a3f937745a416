(namespace_definition name: (_) @package)

; An anonymous class is called by a word that can't be the name of another.
[
  (class_declaration name: (name) @name body: (_ (use_declaration)? @bases))
  (trait_declaration name: (name) @name body: (_ (use_declaration)? @bases))
  (anonymous_class "class" @name body: (_ (use_declaration)? @bases))
  (class_declaration name: (name) @name [(base_clause) (class_interface_clause)] @bases)
  (anonymous_class "class" @name [(base_clause) (class_interface_clause)] @bases)
] @class

(interface_declaration name: (name) @name (base_clause)? @bases) @interface

[
  (enum_declaration name: (name) @name body: (_ (use_declaration)? @bases))
  (enum_declaration name: (name) @name (class_interface_clause) @bases)
] @enum

([(enum_case name: (name) @name) (const_declaration (const_element . (name) @name))]) @constant

((function_call_expression
   function: (name) @_define
   arguments: (arguments . (argument (string (string_content) @name)))) @constant
 (#eq? @_define "define"))

([(property_declaration (property_element name: (variable_name (name) @name)))
  (property_promotion_parameter (variable_name (name) @name))
  (property_promotion_parameter (by_ref (variable_name (name) @name)))]) @property

(_ name: (name) @name parameters: (formal_parameters) @parameters return_type: (_)? @result) @function

(program (expression_statement (assignment_expression . (variable_name (name) @name))) @variable)

(namespace_use_declaration
  [(namespace_use_clause
     (qualified_name prefix: (_) @from (name) @item) alias: (name)? @item_alias)
   (namespace_use_clause . [(name) (qualified_name !prefix)] @from alias: (name)? @alias)
   ((namespace_name) @from
    (namespace_use_group (namespace_use_clause . (_) @item alias: (name)? @item_alias)))]) @import

[
  (include_expression (_) @from) (include_once_expression (_) @from)
  (require_expression (_) @from) (require_once_expression (_) @from)
] @import

[
  (_ object: (variable_name (name) @object) name: (name) @use)
  (_ object: (_ name: (name) @object) name: (name) @use)
  (_ scope: (_) @object name: [(name) (variable_name)] @use)
  (class_constant_access_expression . (_) @object (name) @use .)
]

[
  (_ object: (_) name: (name) @use) (_ scope: [(name) (qualified_name)] @use)
  (class_constant_access_expression . [(name) (qualified_name)] @use)
  (function_call_expression function: [(name) (qualified_name) (relative_name)] @use)
  (assignment_expression right: [(name) (qualified_name)] @use)
  (array_element_initializer [(name) (qualified_name)] @use)
  (object_creation_expression [(name) (qualified_name)] @use)
  (argument [(name) (qualified_name)] @use .) (attribute [(name) (qualified_name)] @use)
  (base_clause [(name) (qualified_name)] @use) (binary_expression [(name) (qualified_name)] @use)
  (class_interface_clause [(name) (qualified_name)] @use) (return_statement (name) @use)
  (named_type [(name) (qualified_name)] @use) (use_declaration [(name) (qualified_name)] @use)
]
