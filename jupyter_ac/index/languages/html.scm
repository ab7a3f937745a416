((attribute
   (attribute_name) @_id
   [(attribute_value) @name (quoted_attribute_value (attribute_value) @name)]) @element
 (#eq? @_id "id"))

((element
   [(start_tag (tag_name) @_tag
      (attribute
        (attribute_name) @_href
        [(attribute_value) @from (quoted_attribute_value (attribute_value) @from)]))
    (self_closing_tag (tag_name) @_tag
      (attribute
        (attribute_name) @_href
        [(attribute_value) @from (quoted_attribute_value (attribute_value) @from)]))]) @import
 (#any-of? @_href "href" "src"))

((script_element
   (start_tag
     (attribute
       (attribute_name) @_src
       [(attribute_value) @from (quoted_attribute_value (attribute_value) @from)]))) @import
 (#eq? @_src "src"))

([(start_tag (tag_name) @use) (self_closing_tag (tag_name) @use)]
 (#match? @use "-"))
