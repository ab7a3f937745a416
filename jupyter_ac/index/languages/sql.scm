(create_table (object_reference name: (identifier) @name)) @table

(create_table
  (column_definitions (column_definition name: (identifier) @name) @property))

[
  (create_view (object_reference name: (identifier) @name))
  (create_materialized_view (object_reference name: (identifier) @name))
] @table

(create_index column: (identifier) @name) @key

(create_function
  (object_reference name: (identifier) @name)
  (function_arguments)? @parameters) @function

(create_procedure
  (object_reference name: (identifier) @name)
  (function_arguments)? @parameters) @function

(create_type (object_reference name: (identifier) @name)) @type

(create_schema (identifier) @name) @module

(create_sequence (object_reference name: (identifier) @name)) @variable

(create_trigger (keyword_trigger) . (object_reference name: (identifier) @name)) @rule

(relation (object_reference name: (identifier) @use))

(column_definition (object_reference name: (identifier) @use))

(invocation (object_reference name: (identifier) @use))

(create_index (object_reference name: (identifier) @use))

(insert (object_reference name: (identifier) @use))

(alter_table (object_reference name: (identifier) @use))
