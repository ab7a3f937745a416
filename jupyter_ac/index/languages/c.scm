(function_definition
  type: (_) @result
  declarator: [
    (function_declarator declarator: (identifier) @name parameters: (_) @parameters)
    (_ (function_declarator declarator: (identifier) @name parameters: (_) @parameters))
    (_ (_ (function_declarator declarator: (identifier) @name parameters: (_) @parameters)))
  ]) @function

; Functions that return functions.
(function_definition
  type: (_) @result
  declarator: (function_declarator
    declarator: (parenthesized_declarator (pointer_declarator
      declarator: (function_declarator declarator: (identifier) @name parameters: (_) @parameters))))) @function

(translation_unit (declaration
  type: (_) @result
  declarator: (function_declarator
    declarator: (parenthesized_declarator (pointer_declarator
      declarator: (function_declarator declarator: (identifier) @name parameters: (_) @parameters))))) @function)

; Declarations in headers; their detail ends in a semicolon.
([
  (translation_unit (declaration type: (_) @result declarator: [
    (function_declarator declarator: (identifier) @name parameters: (_) @parameters)
    (_ (function_declarator declarator: (identifier) @name parameters: (_) @parameters))
  ]) @function)
  (_ . "#ifndef" (declaration type: (_) @result declarator: [
    (function_declarator declarator: (identifier) @name parameters: (_) @parameters)
    (_ (function_declarator declarator: (identifier) @name parameters: (_) @parameters))
  ]) @function)
  (_ . "#ifdef" (declaration type: (_) @result declarator: [
    (function_declarator declarator: (identifier) @name parameters: (_) @parameters)
    (_ (function_declarator declarator: (identifier) @name parameters: (_) @parameters))
  ]) @function)
  (linkage_specification (declaration_list (declaration type: (_) @result declarator: [
    (function_declarator declarator: (identifier) @name parameters: (_) @parameters)
    (_ (function_declarator declarator: (identifier) @name parameters: (_) @parameters))
  ]) @function))
])

(translation_unit
  (declaration
    declarator: [
      (identifier) @name
      (pointer_declarator (identifier) @name)
      (array_declarator (identifier) @name)
      (init_declarator
        declarator: [
          (identifier) @name
          (pointer_declarator (identifier) @name)
          (array_declarator (identifier) @name)
          (pointer_declarator (array_declarator (identifier) @name))
        ])
    ]) @variable)

(type_definition
  declarator: [
    (type_identifier) @name
    (pointer_declarator (type_identifier) @name)
    (array_declarator (type_identifier) @name)
    (function_declarator (parenthesized_declarator (pointer_declarator (type_identifier) @name)))
  ]) @type

(type_definition
  type: (_ name: (_) body: (_))
  declarator: (type_identifier) @name @type)

(type_definition
  type: [(struct_specifier !name body: (_)) (union_specifier !name body: (_))]
  declarator: (type_identifier) @name) @struct

(type_definition
  type: (enum_specifier !name body: (_))
  declarator: (type_identifier) @name) @enum

[
  (struct_specifier name: (type_identifier) @name body: (_))
  (union_specifier name: (type_identifier) @name body: (_))
] @struct

(enum_specifier name: (type_identifier) @name body: (_)) @enum

(enumerator name: (identifier) @name) @constant

(field_declaration
  declarator: [
    (field_identifier) @name
    (pointer_declarator (field_identifier) @name)
    (array_declarator (field_identifier) @name)
    (function_declarator (parenthesized_declarator (pointer_declarator (field_identifier) @name)))
  ]) @property

(preproc_def name: (identifier) @name value: (_)) @constant

(preproc_function_def name: (identifier) @name parameters: (_) @parameters) @function

(preproc_include path: [(string_literal) (system_lib_string)] @from) @import

(call_expression function: [(identifier) (field_expression)] @use)

(type_identifier) @use
