(document (object (pair key: (string) @name) @key))
