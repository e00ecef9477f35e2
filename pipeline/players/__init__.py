"""Players: results, meetings, what they do and how well."""
