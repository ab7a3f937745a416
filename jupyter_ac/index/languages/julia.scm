(module_definition name: (identifier) @name) @module
(module_definition name: (identifier) @package)
(_ (type_head
     [(identifier) @name (parametrized_type_expression . (identifier) @name)
      (binary_expression . [(identifier) @name (_ . (identifier) @name)] (operator) (_) @bases)])) @struct

(function_definition
  (signature
    [(identifier) @name
     (call_expression . [(identifier) @name (operator) @name (_ !value . [(identifier) (operator)] @name)
       (field_expression [(identifier) @name (quote_expression (operator) @name)] .)]
       (argument_list) @parameters)
     (_ . (call_expression . [(identifier) @name (operator) @name (_ !value . [(identifier) (operator)] @name)
       (field_expression [(identifier) @name (quote_expression (operator) @name)] .)]
       (argument_list) @parameters))
     (_ . (_ . (call_expression . [(identifier) @name (operator) @name (_ !value . [(identifier) (operator)] @name)
       (field_expression [(identifier) @name (quote_expression (operator) @name)] .)]
       (argument_list) @parameters)))])) @function

(assignment
  . [(call_expression . [(identifier) @name (operator) @name (_ !value . [(identifier) (operator)] @name)
      (field_expression [(identifier) @name (quote_expression (operator) @name)] .)]
      (argument_list) @parameters)
    (typed_expression . (call_expression . [(identifier) @name (operator) @name (_ !value . [(identifier) (operator)] @name)
      (field_expression [(identifier) @name (quote_expression (operator) @name)] .)]
      (argument_list) @parameters))
    (where_expression . (call_expression . [(identifier) @name (operator) @name (_ !value . [(identifier) (operator)] @name)
      (field_expression [(identifier) @name (quote_expression (operator) @name)] .)]
      (argument_list) @parameters))
    (binary_expression (_) (operator) @name (_))]) @function
(macro_definition (signature (call_expression . (_) @name . (argument_list) @parameters))) @function

(const_statement
  (assignment
    . [(identifier) @name (_ . (identifier) @name) (open_tuple (identifier) @name)])) @constant

(source_file [(assignment . (identifier) @name) (global_statement (_ . (identifier) @name))] @variable)
(module_definition
  [(assignment . (identifier) @name) (global_statement (_ . (identifier) @name))] @variable)

(struct_definition
  [(identifier) @name
   (typed_expression . (identifier) @name)
   (assignment . [(identifier) @name (typed_expression . (identifier) @name)])
   (macrocall_expression (macro_argument_list (typed_expression . (identifier) @name)))] @property)

((macrocall_expression
   (macro_identifier (identifier) @_enum)
   (macro_argument_list . [(identifier) @name (typed_expression . (identifier) @name)])) @enum
 (#eq? @_enum "enum"))
((macrocall_expression
   (macro_identifier (identifier) @_enum)
   (macro_argument_list . (_)
     [(identifier) @name (assignment . (identifier) @name)
      (compound_statement [(identifier) @name (assignment . (identifier) @name)])] @constant))
 (#eq? @_enum "enum"))

(using_statement [(identifier) (scoped_identifier) (import_path)] @from @all) @import
(import_statement
  [(identifier) @from (scoped_identifier) @from (import_path) @from
   (import_alias . (_) @from (identifier) @alias .)]) @import
(selected_import . (_) @from
  [(identifier) @item (operator) @item (macro_identifier (identifier) @item)
   (import_alias . (identifier) @item (identifier) @item_alias)]) @import

((call_expression
   . [(identifier) @_include (field_expression (identifier) @_include .)]
   (argument_list (string_literal . (content) @relative .) .)) @import
 (#eq? @_include "include"))
[(call_expression . [(identifier) @use (parametrized_type_expression . (identifier) @use)])
 (field_expression) @use
 (macro_identifier (identifier) @use)
 (typed_expression (_) (identifier) @use .)
 (broadcast_call_expression . (identifier) @use)
 (unary_typed_expression (identifier) @use .)
 (curly_expression (identifier) @use)
 (type_head (binary_expression (_) (identifier) @use .))]
