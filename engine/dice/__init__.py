"""My Shelfie: The Dice Game."""
