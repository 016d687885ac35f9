-- When an admin marked a message as done or answered it; null while it is open.
ALTER TABLE contact_messages ADD COLUMN done_at TEXT;
-- How long an email with an answer can be on its way. If this is over, it is unknown whether the email was accepted.
ALTER TABLE contact_messages ADD COLUMN sending_until TEXT;
CREATE INDEX contact_messages_open ON contact_messages (created_at) WHERE done_at IS NULL;

-- The answers to messages. `operator_id` is the admin or moderator; null for commands, and after that account was deleted.
CREATE TABLE contact_answers (
  id INTEGER PRIMARY KEY,
  message_id TEXT NOT NULL REFERENCES contact_messages (id) ON DELETE CASCADE,
  answer TEXT NOT NULL,
  created_at TEXT NOT NULL,
  is_mailed INTEGER NOT NULL CHECK (is_mailed IN (0, 1)),
  operator_id INTEGER REFERENCES operators (id) ON DELETE SET NULL,
  via TEXT NOT NULL CHECK (via IN ('command', 'page'))
) STRICT;
CREATE INDEX contact_answers_by_message ON contact_answers (message_id);
CREATE INDEX contact_answers_by_admin ON contact_answers (operator_id);
