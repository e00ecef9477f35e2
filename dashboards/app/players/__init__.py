"""Parts of the page of players: the list, one player, two players, mistakes as exercises."""
