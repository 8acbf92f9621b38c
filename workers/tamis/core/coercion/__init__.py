"""Arguments as the tool's schema wants them, without a change of meaning.

Read in this order: `rules` (the names), `default` (the order), `objects` and `convert` (the rules for keys and for values), `words` (the
data), `optin_values` and `optin_keys` (what a tool's policy may add), `registry` (what a host may add), `history`, `examples`.
"""
