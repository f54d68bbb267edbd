"""Pictures of what passes for dice and tiles, and is none: playing cards, circuit boards, specks on black, things in rows."""
