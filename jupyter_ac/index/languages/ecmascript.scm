; What JavaScript and TypeScript share.

; Symbols. A later pattern overrules an earlier one about the same name.

(program
  [
    (lexical_declaration (variable_declarator name: (identifier) @name) @variable)
    (variable_declaration (variable_declarator name: (identifier) @name) @variable)
    (export_statement
      declaration: (lexical_declaration (variable_declarator name: (identifier) @name) @variable))
  ])

; What is taken apart counts when it is exported.
(program
  (export_statement
    declaration: (lexical_declaration
      (variable_declarator
        name: [
          (object_pattern [
            (shorthand_property_identifier_pattern) @name
            (object_assignment_pattern left: (shorthand_property_identifier_pattern) @name)
            (pair_pattern value: (identifier) @name)
            (rest_pattern (identifier) @name)
          ])
          (array_pattern [
            (identifier) @name
            (assignment_pattern left: (identifier) @name)
            (rest_pattern (identifier) @name)
          ])
        ]) @variable)))

[
  (function_declaration name: (identifier) @name parameters: (_) @parameters)
  (generator_function_declaration name: (identifier) @name parameters: (_) @parameters)
] @function

(variable_declarator
  name: (identifier) @name
  value: [
    (arrow_function parameters: (_) @parameters body: (_) @body)
    (arrow_function parameter: (_) @parameters body: (_) @body)
    (function_expression parameters: (_) @parameters body: (_) @body)
    (generator_function parameters: (_) @parameters body: (_) @body)
  ]) @function

(variable_declarator
  name: (identifier) @name
  value: (class (class_heritage)? @bases body: (_) @body)) @class

(export_statement
  "default" @name
  value: [
    (arrow_function parameters: (_) @parameters body: (_) @body)
    (arrow_function parameter: (_) @parameters body: (_) @body)
    (function_expression !name parameters: (_) @parameters body: (_) @body)
    (generator_function !name parameters: (_) @parameters body: (_) @body)
  ]) @function

(export_statement
  "default" @name
  value: (class !name (class_heritage)? @bases body: (_) @body)) @class

(export_statement
  "default"
  value: (function_expression name: (_) @name parameters: (_) @parameters body: (_) @body)) @function

(export_statement
  "default"
  value: (class name: (_) @name (class_heritage)? @bases body: (_) @body)) @class

(method_definition
  name: [(property_identifier) (private_property_identifier) (string)] @name
  parameters: (_) @parameters) @method

(variable_declarator
  value: (object
    (pair
      key: (property_identifier) @name
      value: [
        (arrow_function parameters: (_) @parameters body: (_) @body)
        (function_expression parameters: (_) @parameters body: (_) @body)
      ]) @method))

; CommonJS. What is only handed on by `exports.a = a` or `require` has its definition elsewhere.
((program
   (expression_statement
     (assignment_expression
       left: (member_expression object: (_) @_exports property: (property_identifier) @name)
       right: [
         (number) (string) (template_string) (regex) (true) (false) (null)
         (array) (object) (new_expression)
         (call_expression function: (_) @_made)
       ]) @variable))
 (#any-of? @_exports "exports" "module.exports")
 (#match? @_made "^(?!require[(]|require$)"))

((assignment_expression
   left: (member_expression object: (_) @_exports property: (property_identifier) @name)
   right: (class (class_heritage)? @bases body: (_) @body)) @class
 (#any-of? @_exports "exports" "module.exports"))

((assignment_expression
   left: (member_expression) @_exports
   right: (class name: (_) @name (class_heritage)? @bases body: (_) @body)) @class
 (#eq? @_exports "module.exports"))

((assignment_expression
   left: (member_expression) @_exports
   right: (function_expression name: (_) @name parameters: (_) @parameters body: (_) @body)) @function
 (#eq? @_exports "module.exports"))

((assignment_expression
   left: (member_expression) @_exports
   right: (object
     (pair
       key: [(property_identifier) (string)] @name
       value: [
         (arrow_function parameters: (_) @parameters body: (_) @body)
         (arrow_function parameter: (_) @parameters body: (_) @body)
         (function_expression parameters: (_) @parameters body: (_) @body)
       ]) @method))
 (#eq? @_exports "module.exports"))

((assignment_expression
   left: (member_expression object: (_) @_exports property: (property_identifier) @name)
   right: [
     (arrow_function parameters: (_) @parameters body: (_) @body)
     (arrow_function parameter: (_) @parameters body: (_) @body)
     (function_expression parameters: (_) @parameters body: (_) @body)
   ]) @function
 (#any-of? @_exports "exports" "module.exports"))

((assignment_expression
   left: (member_expression
     object: (member_expression object: (identifier) @owner property: (_) @_prototype)
     property: (property_identifier) @name)
   right: (function_expression parameters: (_) @parameters body: (_) @body)) @method
 (#eq? @_prototype "prototype"))

; Functions that a class, or any other object at top level, is given.
((assignment_expression
   left: (member_expression object: (identifier) @owner property: (property_identifier) @name)
   right: [
     (arrow_function parameters: (_) @parameters body: (_) @body)
     (arrow_function parameter: (_) @parameters body: (_) @body)
     (function_expression parameters: (_) @parameters body: (_) @body)
   ]) @method
 (#match? @owner "^[A-Z]"))

((program
   (expression_statement
     (assignment_expression
       left: (member_expression object: (identifier) @owner property: (property_identifier) @name)
       right: [
         (arrow_function parameters: (_) @parameters body: (_) @body)
         (arrow_function parameter: (_) @parameters body: (_) @body)
         (function_expression parameters: (_) @parameters body: (_) @body)
       ]) @method))
 (#match? @owner "^(?!(?:exports|module)$)"))

(export_statement declaration: (_) @decorated) @outer

; Imports.

; Lists of names are taken whole: one match for each name, all waiting for the source behind them,
; costs the square of their number.

(import_statement source: (string (string_fragment) @from)) @import

(import_statement
  (import_clause (identifier) @default)
  source: (string (string_fragment) @from)) @import

(import_statement
  (import_clause (namespace_import (identifier) @alias))
  source: (string (string_fragment) @from)) @import

(import_statement
  (import_clause (named_imports) @items)
  source: (string (string_fragment) @from)) @import

(export_statement source: (string (string_fragment) @from)) @import

(export_statement
  (export_clause) @items
  source: (string (string_fragment) @from)) @import

((call_expression
   function: [(identifier) (import)] @_require
   arguments: (arguments . (string (string_fragment) @from))) @import
 (#any-of? @_require "require" "import"))

((variable_declarator
   name: (identifier) @alias
   value: (call_expression
     function: (identifier) @_require
     arguments: (arguments . (string (string_fragment) @from)))) @import
 (#eq? @_require "require"))

((variable_declarator
   name: (object_pattern) @items
   value: (call_expression
     function: (identifier) @_require
     arguments: (arguments . (string (string_fragment) @from)))) @import
 (#eq? @_require "require"))

; Uses.

(call_expression function: [(identifier) (member_expression)] @use)

(new_expression constructor: [(identifier) (member_expression)] @use)
