import type { Database } from 'better-sqlite3';
import { statementsIn } from './statements.ts';

export interface OutboxEvent {
  id: string;
  type: string;
  /** JSON, with positions in place of operators' names. */
  data: string;
  created_at: string;
  expires_at: string;
}

/** A delivery that is due, with its event. */
export interface DueDelivery extends Pick<OutboxEvent, 'created_at' | 'data' | 'type'> {
  id: number;
  webhook_id: string;
  event_id: string;
  /** The number of earlier attempts. */
  attempts: number;
}

export interface ListedDelivery {
  event_id: string;
  webhook_id: string;
  type: string;
  state: 'delivered' | 'failed' | 'pending';
  attempts: number;
  created_at: string;
  /** Null unless it is pending. */
  next_at: string | null;
  tried_at: string | null;
  /** The result of the last attempt; null before the first. */
  outcome: string | null;
}

interface Attempt {
  id: number;
  outcome: string;
  now: string;
}

const DUE = `
  SELECT d.id, d.webhook_id, d.event_id, d.attempts, e.type, e.data, e.created_at
  FROM webhook_deliveries d JOIN webhook_events e ON e.id = d.event_id`;

/** Events that were written with what caused them, and their deliveries. */
export function webhookOutboxIn(db: Database) {
  const sql = statementsIn(db);
  const addEvent = sql.run<(row: OutboxEvent) => void>(`
    INSERT INTO webhook_events (id, type, data, created_at, expires_at)
    VALUES (@id, @type, @data, @created_at, @expires_at)`);
  const addSubject = sql.run<(of: object) => void>(`
    INSERT INTO webhook_subjects (event_id, position, operator_id)
    SELECT @event_id, @position, id FROM operators WHERE id = @operator_id`);
  const addDelivery = sql.run<(of: object) => void>(`
    INSERT INTO webhook_deliveries (webhook_id, event_id, next_at)
    VALUES (@webhook_id, @event_id, @next_at)`);
  const claim = sql.did<(of: object) => boolean>(`
    UPDATE webhook_deliveries SET attempts = attempts + 1, tried_at = @now, next_at = @until
    WHERE id = @id AND state = 'pending' AND next_at <= @now`);
  const names = sql.tuples<(event_id: string) => [position: number, codename: string][]>(`
    SELECT s.position, o.codename FROM webhook_subjects s JOIN operators o ON o.id = s.operator_id
    WHERE s.event_id = ? AND o.is_open = 1 AND o.log_index > 0 AND o.erasing_at IS NULL`);
  const listed = sql.all<(of: object) => ListedDelivery[]>(`
    SELECT d.event_id, d.webhook_id, e.type, d.state, d.attempts, e.created_at, d.next_at,
      d.tried_at, d.outcome
    FROM webhook_deliveries d JOIN webhook_events e ON e.id = d.event_id
    WHERE @webhook_id IS NULL OR d.webhook_id = @webhook_id ORDER BY d.id DESC LIMIT @limit`);

  return {
    /** Adds an event for some webhooks. Call it inside the transaction of what happened. */
    add(event: OutboxEvent, operators: readonly number[], webhooks: readonly string[]) {
      addEvent(event);
      for (const [position, operator_id] of operators.entries()) {
        addSubject({ event_id: event.id, position, operator_id });
      }
      for (const webhook_id of webhooks) {
        addDelivery({ webhook_id, event_id: event.id, next_at: event.created_at });
      }
    },
    /** The first due delivery of each webhook. */
    due: sql.all<(now: string) => DueDelivery[]>(`
      ${DUE} WHERE d.id IN (
        SELECT id FROM (
          SELECT id, min(next_at) FROM webhook_deliveries
          WHERE state = 'pending' AND next_at <= ? GROUP BY webhook_id))`),
    deliveryOf: sql.get<(event_id: string) => DueDelivery>(`${DUE} WHERE d.event_id = ?`),
    /**
     * Takes a due delivery for an attempt. No other process takes it before `until`, and then only if this one did not
     * record the result.
     */
    claim: (id: number, now: string, until: string) => claim({ id, now, until }),
    /** The public names in an event, by position. Operators without a page have none. */
    names: (event_id: string) => new Map(names(event_id)),
    setDelivered: sql.run<(attempt: Attempt) => void>(`
      UPDATE webhook_deliveries SET state = 'delivered', next_at = NULL, tried_at = @now,
        outcome = @outcome
      WHERE id = @id`),
    setRetry: sql.run<(attempt: Attempt & { next_at: string }) => void>(`
      UPDATE webhook_deliveries SET next_at = @next_at, tried_at = @now, outcome = @outcome
      WHERE id = @id`),
    setFailed: sql.run<(attempt: Attempt) => void>(`
      UPDATE webhook_deliveries SET state = 'failed', next_at = NULL, tried_at = @now,
        outcome = @outcome
      WHERE id = @id`),
    /** How many deliveries are kept, by state. */
    counts: sql.all<() => { state: string; count: number }[]>(`
      SELECT state, count(*) AS count FROM webhook_deliveries GROUP BY state`),
    /** Gives up the pending deliveries of a webhook. */
    giveUp: sql.run<(webhook_id: string) => void>(`
      UPDATE webhook_deliveries SET state = 'failed', next_at = NULL
      WHERE webhook_id = ? AND state = 'pending'`),
    /** The newest deliveries, of all webhooks or one. */
    newest: (webhook_id: string | null, limit: number) => listed({ webhook_id, limit }),
  };
}
