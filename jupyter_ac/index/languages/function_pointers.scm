; Pointers to functions.
(translation_unit
  (declaration
    declarator: [
      (function_declarator
        declarator: (parenthesized_declarator
          (pointer_declarator declarator: [
            (identifier) @name
            (array_declarator declarator: (identifier) @name)
          ])))
      (init_declarator
        declarator: (function_declarator
          declarator: (parenthesized_declarator
            (pointer_declarator declarator: [
              (identifier) @name
              (array_declarator declarator: (identifier) @name)
            ]))))
    ]) @variable)
