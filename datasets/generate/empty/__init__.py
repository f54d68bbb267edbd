"""Pictures of look-alikes of dice and tiles: playing cards, circuit boards, specks on black, things in rows."""
