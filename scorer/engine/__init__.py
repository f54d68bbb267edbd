"""What every game is made of: rules with options, states, moves, records. No single game is known here."""
