"""The untrusted side: what runs in, and around, the process that a student's code shares."""
