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

((module
   (expression_statement
     (assignment
       [
         left: (pattern_list (identifier) @name)
         left: (pattern_list (list_splat_pattern (identifier) @name))
         left: (tuple_pattern (identifier) @name)
         left: (list_pattern (identifier) @name)
         right: (assignment left: (identifier) @name)
         right: (assignment right: (assignment left: (identifier) @name))
       ]) @variable))
 (#match? @name "[^_]"))

; One level down, but not what a module keeps for itself when it is run.
((module
   [
     (if_statement
       condition: (_) @_condition
       [
         (block (expression_statement
           (assignment
             left: [(identifier) @name (pattern_list (identifier) @name)]) @variable))
         (_ (block (expression_statement
           (assignment
             left: [(identifier) @name (pattern_list (identifier) @name)]) @variable)))
       ])
     (try_statement
       [
         (block (expression_statement
           (assignment
             left: [(identifier) @name (pattern_list (identifier) @name)]) @variable))
         (_ (block (expression_statement
           (assignment
             left: [(identifier) @name (pattern_list (identifier) @name)]) @variable)))
       ])
     (with_statement
       (block (expression_statement
         (assignment
           left: [(identifier) @name (pattern_list (identifier) @name)]) @variable)))
   ] @branch)
 (#match? @_condition "^(?!__name__[ =])")
 (#match? @name "[^_]"))

(class_definition
  body: (block
    (expression_statement
      (assignment
        left: [(identifier) @name (pattern_list (identifier) @name)]) @property)))

((function_definition name: (identifier) @_init body: (block) @within)
 (#eq? @_init "__init__"))

((block
   [
     (expression_statement
       (assignment
         [
           left: (attribute object: (identifier) @_self attribute: (identifier) @name)
           left: (pattern_list
             (attribute object: (identifier) @_self attribute: (identifier) @name))
           left: (tuple_pattern
             (attribute object: (identifier) @_self attribute: (identifier) @name))
           right: (assignment
             left: (attribute object: (identifier) @_self attribute: (identifier) @name))
         ]) @property)
     (if_statement
       [
         (block (expression_statement
           (assignment
             left: (attribute
               object: (identifier) @_self
               attribute: (identifier) @name)) @property))
         (_ (block (expression_statement
           (assignment
             left: (attribute
               object: (identifier) @_self
               attribute: (identifier) @name)) @property)))
       ])
     (try_statement
       [
         (block (expression_statement
           (assignment
             left: (attribute
               object: (identifier) @_self
               attribute: (identifier) @name)) @property))
         (_ (block (expression_statement
           (assignment
             left: (attribute
               object: (identifier) @_self
               attribute: (identifier) @name)) @property)))
       ])
   ])
 (#eq? @_self "self"))

(type_alias_statement left: (type (identifier) @name)) @type

; Imports.

(import_statement
  name: [
    (dotted_name) @from
    (aliased_import name: (dotted_name) @from alias: (identifier) @alias)
  ]) @import

(import_from_statement
  module_name: (_) @from
  name: [
    (dotted_name) @item
    (aliased_import name: (dotted_name) @item alias: (identifier) @item_alias)
  ]) @import

(import_from_statement
  module_name: (_) @from
  (wildcard_import) @item) @import

; Uses.

(call function: [(identifier) (attribute)] @use)

(decorator [(identifier) (attribute)] @use)

(class_definition
  superclasses: (argument_list [(identifier) (attribute)] @use))

(type (identifier) @use)
