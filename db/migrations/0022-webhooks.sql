-- Endpoints that receive events. The URL may contain a token of the receiving service, so it is encrypted like the
-- signing secrets. `secret` is null for forms that are not signed.
CREATE TABLE webhooks (
  id TEXT PRIMARY KEY,
  form TEXT NOT NULL,
  host TEXT NOT NULL,
  url BLOB NOT NULL,
  secret BLOB,
  old_secret BLOB,
  old_until TEXT,
  events TEXT NOT NULL,
  created_at TEXT NOT NULL,
  failing_since TEXT,
  disabled_at TEXT,
  disabled_reason TEXT
) STRICT, WITHOUT ROWID;

-- The outbox. `data` names no operator: it has the position of each in `webhook_subjects`, so that a name is looked up
-- when it is sent, and is gone with the account.
CREATE TABLE webhook_events (
  id TEXT PRIMARY KEY,
  type TEXT NOT NULL,
  data TEXT NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX webhook_events_by_end ON webhook_events (expires_at);

CREATE TABLE webhook_subjects (
  event_id TEXT NOT NULL REFERENCES webhook_events (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  operator_id INTEGER NOT NULL REFERENCES operators (id) ON DELETE CASCADE,
  PRIMARY KEY (event_id, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX webhook_subjects_by_operator ON webhook_subjects (operator_id);

CREATE TABLE webhook_deliveries (
  id INTEGER PRIMARY KEY,
  webhook_id TEXT NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  event_id TEXT NOT NULL REFERENCES webhook_events (id) ON DELETE CASCADE,
  state TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'delivered', 'failed')),
  attempts INTEGER NOT NULL DEFAULT 0,
  next_at TEXT,
  tried_at TEXT,
  outcome TEXT,
  UNIQUE (webhook_id, event_id)
) STRICT;
CREATE INDEX webhook_deliveries_by_event ON webhook_deliveries (event_id);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, next_at) WHERE state = 'pending';

-- What events were last made from: each metric's leader, and the challenges whose start was an event.
CREATE TABLE announced_leaders (
  metric TEXT PRIMARY KEY,
  operator_id INTEGER NOT NULL REFERENCES operators (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX announced_leaders_by_operator ON announced_leaders (operator_id);

CREATE TABLE announced_challenges (
  challenge INTEGER PRIMARY KEY REFERENCES challenges (seq) ON DELETE CASCADE
) STRICT;
