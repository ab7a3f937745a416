(chunk
  [
    (_ (assignment_statement (variable_list name: (identifier) @name) @variable))
    (_ (variable_list name: (identifier) @name) @variable)
  ])

; A table that is made empty is filled below.
((chunk
   (_ (assignment_statement
        (variable_list . name: (identifier) @name .)
        (expression_list . value: (table_constructor) @_table)) @module))
 (#match? @_table "^[{]\\s*[}]$"))

((chunk
   (assignment_statement
     (variable_list . name: (identifier) @name .)
     (expression_list . value: (table_constructor) @_table)) @module)
 (#match? @_table "^[{]\\s*[}]$"))

; It is a class if it is the metatable of its objects, or has methods.
(function_declaration name: (method_index_expression table: (_) @owner)) @scope

((assignment_statement
   (variable_list . name: (dot_index_expression table: (_) @owner field: (_) @_index) @scope))
 (#eq? @_index "__index"))

((assignment_statement
   (variable_list . name: (identifier) @name .)
   (expression_list . value: [
     (function_call
       name: (identifier) @_class arguments: (arguments . (string) . (_)? @bases))
     (function_call name: (method_index_expression table: (_) @bases method: (_) @_extend))
     (function_call
       name: (identifier) @_set
       arguments: (arguments
         . (table_constructor)
         (table_constructor (field name: (_) @_index value: (identifier) @bases))))
   ])) @class
 (#eq? @_class "class")
 (#any-of? @_extend "extend" "subclass")
 (#eq? @_set "setmetatable")
 (#eq? @_index "__index"))

(function_declaration name: (identifier) @name parameters: (_) @parameters) @function

(function_declaration
  name: (_ table: (_) @owner [field: (_) method: (_)] @name)
  parameters: (_) @parameters) @method

(assignment_statement
  (variable_list . name: (identifier) @name .)
  (expression_list . value: (function_definition parameters: (_) @parameters body: (_)? @body))) @function

(assignment_statement
  (variable_list . name: (dot_index_expression table: (_) @owner field: (_) @name))
  (expression_list . value: (function_definition parameters: (_) @parameters body: (_)? @body))) @method

(field
  name: (identifier) @name
  value: (function_definition parameters: (_) @parameters body: (_)? @body)) @function

((assignment_statement
   (variable_list name: (dot_index_expression table: (identifier) @_self field: (_) @name @property)))
 (#eq? @_self "self"))

((function_call
   name: (identifier) @_require arguments: (arguments . (string content: (_) @from))) @import
 (#any-of? @_require "require" "dofile" "loadfile"))
((assignment_statement
   (variable_list . name: (identifier) @alias .)
   (expression_list
     . value: (function_call
       name: (identifier) @_require arguments: (arguments . (string content: (_) @from))))) @import
 (#eq? @_require "require"))

(function_call name: (identifier) @use)
(_ table: (_) @object [field: (identifier) method: (identifier)] @use)
(arguments (identifier) @use)
