(namespace_definition name: (_) @name) @module

[
  (class_specifier name: (_) @name (base_class_clause)? @bases body: (_))
] @class

[
  (struct_specifier name: (_) @name (base_class_clause)? @bases body: (_))
  (union_specifier name: (_) @name body: (_))
] @struct

(enum_specifier name: (type_identifier) @name body: (_)) @enum

(enumerator name: (identifier) @name) @constant

(alias_declaration name: (type_identifier) @name) @type

(concept_definition name: (identifier) @name) @type

(type_definition
  declarator: [
    (type_identifier) @name
    (pointer_declarator (type_identifier) @name)
    (function_declarator (parenthesized_declarator (pointer_declarator (type_identifier) @name)))
  ]) @type

(type_definition
  type: [(struct_specifier !name body: (_)) (union_specifier !name body: (_))]
  declarator: (type_identifier) @name) @struct

; Functions with a body, of a class or free.
(function_definition
  type: (_)? @result
  declarator: [
    (function_declarator
      declarator: [(identifier) (field_identifier) (operator_name) (destructor_name)] @name
      parameters: (_) @parameters)
    (_ (function_declarator
      declarator: [(identifier) (field_identifier) (operator_name) (destructor_name)] @name
      parameters: (_) @parameters))
    (_ (_ (function_declarator
      declarator: [(identifier) (field_identifier) (operator_name)] @name
      parameters: (_) @parameters)))
  ]) @function

; Conversions, in their class and outside of it.
(field_declaration_list
  [
    (function_definition declarator: (operator_cast) @name)
    (declaration declarator: (operator_cast) @name)
  ] @function)

(function_definition
  declarator: (qualified_identifier scope: (_) @owner name: (operator_cast) @name)) @function

(friend_declaration
  (declaration
    type: (_) @result
    declarator: [
      (function_declarator
        declarator: [(identifier) (operator_name)] @name
        parameters: (_) @parameters)
      (_ (function_declarator
        declarator: [(identifier) (operator_name)] @name
        parameters: (_) @parameters))
    ]) @function)

; Methods with a body outside of their class.
(function_definition
  type: (_)? @result
  declarator: [
    (function_declarator
      declarator: (qualified_identifier
        scope: (_) @owner
        name: [(identifier) (operator_name) (destructor_name)] @name)
      parameters: (_) @parameters)
    (_ (function_declarator
      declarator: (qualified_identifier
        scope: (_) @owner
        name: [(identifier) (operator_name) (destructor_name)] @name)
      parameters: (_) @parameters))
    (function_declarator
      declarator: (qualified_identifier
        name: (qualified_identifier
          scope: (_) @owner
          name: [(identifier) (operator_name) (destructor_name)] @name))
      parameters: (_) @parameters)
  ]) @function

; Declarations; their detail ends in a semicolon.
(field_declaration
  type: (_)? @result
  declarator: [
    (function_declarator
      declarator: [(identifier) (field_identifier) (operator_name)] @name
      parameters: (_) @parameters)
    (_ (function_declarator
      declarator: [(identifier) (field_identifier) (operator_name)] @name
      parameters: (_) @parameters))
  ]) @function

(field_declaration_list
  [
    (declaration
      declarator: (function_declarator
        declarator: [(identifier) (destructor_name) (operator_name)] @name
        parameters: (_) @parameters)) @function
    (template_declaration
      (declaration
        declarator: (function_declarator declarator: (_) @name parameters: (_) @parameters)) @function)
  ])

(declaration_list
  (declaration
    type: (_) @result
    declarator: [
      (function_declarator declarator: (identifier) @name parameters: (_) @parameters)
      (_ (function_declarator declarator: (identifier) @name parameters: (_) @parameters))
    ]) @function)

(translation_unit
  (declaration
    type: (_) @result
    declarator: [
      (function_declarator declarator: (identifier) @name parameters: (_) @parameters)
      (_ (function_declarator declarator: (identifier) @name parameters: (_) @parameters))
    ]) @function)

(field_declaration
  declarator: [
    (field_identifier) @name
    (pointer_declarator (field_identifier) @name)
    (reference_declarator (field_identifier) @name)
    (array_declarator (field_identifier) @name)
  ]) @property

(declaration_list
  (declaration declarator: [(identifier) @name (init_declarator declarator: (identifier) @name)]) @variable)

(translation_unit
  (declaration declarator: [(identifier) @name (init_declarator declarator: (identifier) @name)]) @variable)

(preproc_def name: (identifier) @name value: (_)) @constant

(preproc_function_def name: (identifier) @name parameters: (_) @parameters) @function

(template_declaration [
  (class_specifier) (struct_specifier) (function_definition) (declaration)
  (alias_declaration) (concept_definition)
] @decorated) @outer

(preproc_include path: [(string_literal) (system_lib_string)] @from) @import

(call_expression
  function: [
    (identifier) @use
    (field_expression field: (field_identifier)) @use
    (field_expression field: (template_method name: (_) @use))
    (qualified_identifier name: (identifier)) @use
    (qualified_identifier name: (qualified_identifier name: (identifier))) @use
    (qualified_identifier name: (template_function name: (_) @use))
    (template_function name: (_) @use)
  ])

(type_identifier) @use
