(program
  [(binary_operator lhs: [(identifier) @name (string content: (_) @name)] operator: ["<-" "<<-" "="]) @variable
   (if_statement (braced_expression (binary_operator lhs: (identifier) @name operator: ["<-" "="]) @variable))
   (parenthesized_expression (binary_operator lhs: (identifier) @name operator: "<-") @variable)])
(program (binary_operator operator: ["->" "->>"] rhs: (identifier) @name) @variable)
(binary_operator
  lhs: [(identifier) @name (string content: (_) @name)]
  operator: ["<-" "<<-" "="]
  rhs: (function_definition parameters: (_) @parameters body: (_) @body)) @function
((call function: (identifier) @_set
   arguments: (arguments . (argument value: (string content: (_) @name)))) @function
 (#any-of? @_set "setGeneric" "setMethod" "setReplaceMethod"))
((call function: (identifier) @_set
   arguments: (arguments . (argument value: (string content: (_) @name))
     (argument value: (function_definition parameters: (_) @parameters body: (_) @body)))) @function
 (#any-of? @_set "assign" "setGeneric" "setMethod" "setReplaceMethod"))
((call function: (identifier) @_set
   arguments: (arguments . (argument value: (string content: (_) @name)) . (comma)
     . (argument value: [(string content: (_) @owner @use)
         (call arguments: (arguments . (argument value: (string content: (_) @owner @use))))]))) @method
 (#any-of? @_set "setMethod" "setReplaceMethod"))
; A class has the name that it is assigned to; S4 also knows it by a string alone.
((binary_operator lhs: (identifier) @name
   rhs: (call function: [(identifier) @_set (namespace_operator rhs: (_) @_set)])) @class
 (#any-of? @_set "R6Class" "setClass" "setRefClass"))
((binary_operator lhs: (identifier) @name
   rhs: (call function: [(identifier) @_set (namespace_operator rhs: (_) @_set)]
     arguments: (arguments (argument name: (identifier) @_from value: [
       (identifier) @bases (namespace_operator) @bases (string) @bases
       (call arguments: (arguments (argument value: (string) @bases)))])))) @class
 (#any-of? @_set "R6Class" "setClass" "setRefClass")
 (#any-of? @_from "contains" "inherit"))
([(program (call function: (identifier) @_set
     arguments: (arguments . (argument value: (string content: (_) @name)))) @class)
   (braced_expression (call function: (identifier) @_set
     arguments: (arguments . (argument value: (string content: (_) @name)))) @class)]
 (#any-of? @_set "setClass" "setClassUnion" "setRefClass"))
((program (call function: (identifier) @_set
   arguments: (arguments . (argument value: (string content: (_) @name))
     (argument name: (identifier) @_from value: [
       (string) @bases (call arguments: (arguments (argument value: (string) @bases)))]))) @class)
 (#any-of? @_set "setClass" "setRefClass") (#eq? @_from "contains"))
((argument name: (identifier) @_part
   value: (call arguments: (arguments (argument name: (identifier) @name) @property)))
 (#any-of? @_part "active" "fields" "private" "public" "slots"))
((argument value: (call function: (identifier) @_part
   arguments: (arguments (argument name: (identifier) @name) @property))) (#eq? @_part "representation"))
((argument name: (identifier) @_part
   value: (call arguments: (arguments (argument name: (identifier) @name
     value: (function_definition parameters: (_) @parameters body: (_) @body)) @method)))
 (#any-of? @_part "active" "methods" "private" "public"))
((call function: (identifier) @_load
   arguments: (arguments . (argument value: [(identifier) @from (string content: (_) @from)]))) @import @all
 (#any-of? @_load "library" "require"))
((call function: (identifier) @_load
   arguments: (arguments . (argument value: (string content: (_) @from)))) @import
 (#any-of? @_load "loadNamespace" "requireNamespace" "source" "sys.source"))
(namespace_operator lhs: (identifier) @from) @import
(call function: (identifier) @use)
(namespace_operator rhs: (identifier)) @use
(extract_operator lhs: (_) @object rhs: (identifier) @use)
(binary_operator operator: "special" @use)
((call function: (identifier) @_call arguments: (arguments . (argument value: (string content: (_) @use))))
 (#eq? @_call "new"))
((call function: (identifier) @_call arguments: (arguments (argument value: (identifier) @use)))
 (#match? @_call "^([lmstv]?apply|do[.]call|Filter|Map|Reduce|map_?[a-z0-9]*)$"))
