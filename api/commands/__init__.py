"""What the command `muggins` does with games: score, rules, odds, advise, play, replay. `api/cli.py` puts it together."""
