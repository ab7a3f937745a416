(function_definition name: (word) @name) @function

(program
  [
    (variable_assignment name: (variable_name) @name) @variable
    (declaration_command (variable_assignment name: (variable_name) @name) @variable)
  ])

((command
   name: (command_name (word) @_source)
   argument: [(word) (string) (raw_string) (concatenation)] @from) @import
 (#any-of? @_source "source" "."))

(command name: (command_name (word) @use))
