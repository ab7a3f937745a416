(module name: [(constant) @name (scope_resolution name: (_) @name)]) @module

(class
  name: [(constant) @name (scope_resolution name: (_) @name)]
  superclass: (superclass (_) @bases)?) @class

(method name: (_) @name parameters: (_)? @parameters) @method

(singleton_method name: (_) @name parameters: (_)? @parameters) @method

(assignment left: (constant) @name) @constant

((call
   method: (identifier) @_accessor
   arguments: (argument_list (simple_symbol) @name @property))
 (#any-of? @_accessor "attr_accessor" "attr_reader" "attr_writer"))

((call
   method: (identifier) @_defining
   arguments: (argument_list . [(simple_symbol) @name (string (string_content) @name)])) @method
 (#any-of? @_defining "define_method" "alias_method"))

(alias name: [(identifier) (constant) (setter) (operator) (simple_symbol)] @name) @method

((call
   method: (identifier) @_required
   arguments: (argument_list . (string (string_content) @from))) @import
 (#any-of? @_required "require" "load"))

((call
   method: (identifier) @_required
   arguments: (argument_list . (string (string_content) @relative))) @import
 (#eq? @_required "require_relative"))

((call
   method: (identifier) @_required
   arguments: (argument_list (simple_symbol) @item (string (string_content) @from))) @import
 (#eq? @_required "autoload"))

(call !receiver method: (identifier) @use)

(call receiver: (_) @object method: (identifier) @use)

[(constant) (super)] @use
