"""What students do wrong in any step of this exercise, told by what it does."""
