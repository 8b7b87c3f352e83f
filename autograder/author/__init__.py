"""The author's side: from text files to what is released, and back."""
