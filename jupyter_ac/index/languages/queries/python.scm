; Symbols. A later pattern overrules an earlier one about the same name.

(function_definition
  name: (identifier) @name
  parameters: (parameters) @parameters
  return_type: (type)? @result) @function

(class_definition
  name: (identifier) @name
  superclasses: (argument_list)? @bases) @class

(decorated_definition definition: (_) @decorated) @outer

(module
  (expression_statement
    (assignment left: (identifier) @name) @variable))

(class_definition
  body: (block
    (expression_statement
      (assignment left: (identifier) @name) @property)))

((function_definition
   name: (identifier) @_init
   body: (block
     (expression_statement
       (assignment
         left: (attribute
           object: (identifier) @_self
           attribute: (identifier) @name)) @property)))
 (#eq? @_init "__init__")
 (#eq? @_self "self"))

(type_alias_statement left: (type (identifier) @name)) @type

; Imports.

(import_statement name: (dotted_name) @from) @import

(import_statement
  name: (aliased_import
    name: (dotted_name) @from
    alias: (identifier) @alias)) @import

(import_from_statement
  module_name: (_) @from
  name: (dotted_name) @item) @import

(import_from_statement
  module_name: (_) @from
  name: (aliased_import
    name: (dotted_name) @item
    alias: (identifier) @item_alias)) @import

(import_from_statement
  module_name: (_) @from
  (wildcard_import) @item) @import

; Uses.

(call function: [(identifier) (attribute)] @use)

(decorator [(identifier) (attribute)] @use)

(class_definition
  superclasses: (argument_list [(identifier) (attribute)] @use))

(type (identifier) @use)
