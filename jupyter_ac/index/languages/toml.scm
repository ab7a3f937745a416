(document (pair . [(bare_key) (quoted_key) (dotted_key)] @name) @key)

(document (table . [(bare_key) (quoted_key) (dotted_key)] @name) @key)

(document (table_array_element . [(bare_key) (quoted_key) (dotted_key)] @name) @key)
