(class_declaration name: (identifier) @name (class_heritage)? @bases) @class

(class_heritage [(identifier) (member_expression)] @use)

(field_definition property: [(property_identifier) (private_property_identifier)] @name) @property

(field_definition
  property: [(property_identifier) (private_property_identifier)] @name
  value: (arrow_function parameters: (_) @parameters body: (_) @body)) @method
