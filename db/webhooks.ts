import type { Database } from 'better-sqlite3';
import { statementsIn } from './statements.ts';

export interface NewWebhook {
  id: string;
  form: string;
  host: string;
  /** Encrypted, because it may contain a token. */
  url: Uint8Array;
  /** Encrypted; null for forms that are not signed. */
  secret: Uint8Array | null;
  /** The types of events, as JSON. */
  events: string;
  created_at: string;
}

export interface WebhookRow extends NewWebhook {
  /** The secret before the last rotation, which also signs until `old_until`. */
  old_secret: Uint8Array | null;
  old_until: string | null;
  /** The first failed attempt since the last success; null if the last attempt succeeded. */
  failing_since: string | null;
  disabled_at: string | null;
  disabled_reason: string | null;
}

type Disabling = Pick<WebhookRow, 'disabled_at' | 'disabled_reason' | 'id'>;
type Rotation = Pick<WebhookRow, 'id' | 'old_until' | 'secret'>;

export interface ListedWebhook extends WebhookRow {
  pending: number;
  delivered: number;
  failed: number;
}

/** The endpoints that receive events. */
export function webhooksIn(db: Database) {
  const sql = statementsIn(db);
  const countOf = (state: string) => `(SELECT count(*) FROM webhook_deliveries d
    WHERE d.webhook_id = w.id AND d.state = '${state}') AS ${state}`;
  const noteFailure = sql.run<(of: object) => void>(`
    UPDATE webhooks SET failing_since = coalesce(failing_since, @now) WHERE id = @id`);

  return {
    add: sql.run<(row: NewWebhook) => void>(`
      INSERT INTO webhooks (id, form, host, url, secret, events, created_at)
      VALUES (@id, @form, @host, @url, @secret, @events, @created_at)`),
    /** Returns false if there is no such webhook. Its deliveries are deleted with it. */
    remove: sql.did<(id: string) => boolean>('DELETE FROM webhooks WHERE id = ?'),
    byId: sql.get<(id: string) => WebhookRow | undefined>('SELECT * FROM webhooks WHERE id = ?'),
    total: sql.value<() => number>('SELECT count(*) FROM webhooks'),
    /** All webhooks with the numbers of their deliveries, oldest first. */
    all: sql.all<() => ListedWebhook[]>(`
      SELECT w.*, ${countOf('pending')}, ${countOf('delivered')}, ${countOf('failed')}
      FROM webhooks w ORDER BY created_at, id`),
    /** The IDs of the enabled webhooks that receive a type of event. */
    subscribed: sql.values<(type: string) => string[]>(`
      SELECT id FROM webhooks WHERE disabled_at IS NULL
        AND EXISTS (SELECT 1 FROM json_each(events) WHERE value = ?)`),
    rotate: sql.run<(row: Rotation) => void>(`
      UPDATE webhooks SET old_secret = secret, old_until = @old_until, secret = @secret
      WHERE id = @id`),
    noteFailure: (id: string, now: string) => noteFailure({ id, now }),
    /** Notes a successful attempt, which also enables the webhook. */
    noteSuccess: sql.run<(id: string) => void>(`
      UPDATE webhooks SET failing_since = NULL, disabled_at = NULL, disabled_reason = NULL
      WHERE id = ? AND (failing_since IS NOT NULL OR disabled_at IS NOT NULL)`),
    /** Returns false if it was already disabled. */
    disable: sql.did<(row: Disabling) => boolean>(`
      UPDATE webhooks SET disabled_at = @disabled_at, disabled_reason = @disabled_reason
      WHERE id = @id AND disabled_at IS NULL`),
  };
}

/** What events were last made from, so that each change is an event once. */
export function announcedIn(db: Database) {
  const sql = statementsIn(db);
  const setLeader = sql.run<(of: object) => void>(`
    INSERT INTO announced_leaders (metric, operator_id) VALUES (@metric, @operator_id)
    ON CONFLICT (metric) DO UPDATE SET operator_id = excluded.operator_id`);

  return {
    /** The last announced leader of a metric. */
    leader: sql.value<(metric: string) => number | undefined>(`
      SELECT operator_id FROM announced_leaders WHERE metric = ?`),
    setLeader: (metric: string, operator_id: number) => setLeader({ metric, operator_id }),
    /** The numbers of challenges that have begun by a day without being announced. */
    startedChallenges: sql.values<(day: string) => number[]>(`
      SELECT seq FROM challenges
      WHERE first_day <= ? AND cancelled_at IS NULL AND frozen_at IS NULL
        AND seq NOT IN (SELECT challenge FROM announced_challenges) ORDER BY seq`),
    /** Returns false if it was announced before. */
    addChallenge: sql.did<(seq: number) => boolean>(`
      INSERT INTO announced_challenges (challenge) VALUES (?) ON CONFLICT DO NOTHING`),
  };
}
