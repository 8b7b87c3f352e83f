"""The one way in: what a student handed in, opened safely, understood, put into the release's cells."""
