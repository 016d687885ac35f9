-- Finds the newest notes of checks for admins.
CREATE INDEX submission_checks_notes ON submission_checks (found_at) WHERE verdict = 'note';
