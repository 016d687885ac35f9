-- A day's places are kept with their intervals; those that were kept before have none.
UPDATE daily_standings SET body = widened_daily_standing(body);

-- Since when the keeper shows an operator to nobody; null while everybody may see what the privacy mode shows.
ALTER TABLE operators ADD COLUMN hidden_at TEXT;

-- Few are ever held, hidden or refused, and all of them are counted for each publication.
CREATE INDEX submissions_by_state ON submissions (state, log_index) WHERE state <> 'accepted';
CREATE INDEX operators_hidden_by_keeper ON operators (hidden_at) WHERE hidden_at IS NOT NULL;
