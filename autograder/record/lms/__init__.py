"""Work that comes and goes through an LMS: bulk downloads, rosters, feedback in bulk uploads."""
