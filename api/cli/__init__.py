"""What the command `muggins` does with games: score, rules, odds, advise, play, replay. `api/cli/main.py` puts it together."""
