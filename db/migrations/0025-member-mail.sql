-- What a member receives by email, and where. The address is encrypted with a key that is not in the database.
CREATE TABLE member_mail (
  operator_id INTEGER PRIMARY KEY REFERENCES operators (id) ON DELETE CASCADE,
  -- Null if the member must enter it again.
  address BLOB,
  kinds TEXT NOT NULL,
  silent_days INTEGER NOT NULL,
  -- Events before this are not sent.
  since TEXT NOT NULL,
  confirm_hash TEXT UNIQUE,
  confirm_until TEXT,
  confirmed_at TEXT,
  problem TEXT CHECK (problem IN ('rejected', 'unreadable')),
  problem_at TEXT
) STRICT;

-- Emails to members, without content. A finished one has no `due_at` and stays for a while, so that it is not sent again.
CREATE TABLE mail_queue (
  id INTEGER PRIMARY KEY,
  operator_id INTEGER NOT NULL REFERENCES operators (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  about TEXT NOT NULL,
  occurred_at TEXT NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  due_at TEXT,
  outcome TEXT CHECK (outcome IN ('trying', 'sent', 'dropped', 'rejected')),
  ended_at TEXT,
  UNIQUE (operator_id, kind, about)
) STRICT;
CREATE INDEX mail_queue_due ON mail_queue (due_at, id) WHERE due_at IS NOT NULL;
