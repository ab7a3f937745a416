(program (package_declaration [(identifier) (scoped_identifier)] @package))

(class_declaration
  name: (identifier) @name
  superclass: (_)? @bases
  interfaces: (_)? @more_bases) @class

(record_declaration
  name: (identifier) @name
  parameters: (_) @parameters
  interfaces: (_)? @bases) @class

(interface_declaration name: (identifier) @name (extends_interfaces)? @bases) @interface

(annotation_type_declaration name: (identifier) @name) @interface

(enum_declaration name: (identifier) @name interfaces: (_)? @bases) @enum

(enum_constant name: (identifier) @name) @constant

(method_declaration
  type: (_) @result
  name: (identifier) @name
  parameters: (_) @parameters) @method

(constructor_declaration name: (identifier) @name parameters: (_) @parameters) @method

(annotation_type_element_declaration name: (identifier) @name) @method

(field_declaration declarator: (variable_declarator name: (identifier) @name)) @property

(constant_declaration declarator: (variable_declarator name: (identifier) @name)) @constant

(import_declaration
  (scoped_identifier scope: (_) @from name: (identifier) @item) .) @import

(import_declaration (_) @from (asterisk) @item) @import

(method_invocation !object name: (identifier) @use)

(method_invocation object: (_) @object name: (identifier) @use)

(type_identifier) @use

(annotation name: (identifier) @use)

(marker_annotation name: (identifier) @use)
