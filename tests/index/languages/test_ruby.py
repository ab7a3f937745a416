"""Imports of Ruby."""

from tests.support.indexed import imported, meant, state_of


def test_relative_files_and_those_below_lib_are_found() -> None:
    files = {
        "lib/shop.rb": 'require "shop/cart"\nrequire "json"\n',
        "lib/shop/cart.rb": "class Cart\n  def total_price\n  end\nend\n",
        "test/cart_test.rb": 'require_relative "../lib/shop/cart"\nCart.new\n',
    }
    state = state_of(files)
    assert imported(state, "lib/shop.rb") == ["lib/shop/cart.rb", None]
    assert imported(state, "test/cart_test.rb") == ["lib/shop/cart.rb"]
    assert meant(state, "test/cart_test.rb", "Cart") == "lib/shop/cart.rb:Cart"
