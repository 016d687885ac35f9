/**
 * Webhooks: the events that a board sends, and their payloads.
 *
 * @see {@link https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md | Standard Webhooks}
 * @module
 */
import * as z from 'zod';
import { ChallengeTerms } from '#core/schema/challenge.ts';
import { CheckId } from '#core/schema/moderation.ts';
import { object } from '#core/schema/object.ts';
import { MetricName } from '#core/schema/record.ts';
import { Codename, Day, Timestamp } from '#core/schema/scalars.ts';
import events from './webhook-events.json' with { type: 'json' };

/** The type of an event, such as `record.set`. */
export type WebhookType = keyof typeof events;

/** How an event is sent: as signed JSON, or as a message of a chat or notification service. */
export const WEBHOOK_FORMS = ['standard', 'discord', 'slack', 'matrix', 'ntfy'] as const;
export type WebhookForm = (typeof WEBHOOK_FORMS)[number];

/** The standings in `challenge.finished`. */
export const WEBHOOK_PLACES = 10;

const NamedOperator = Codename.nullable().describe(
  'The codename. Null if the operator is anonymous, private, hidden or deleted when the event is sent.',
);
const Value = z.number().describe('The conservative value of the metric.');

const { id, title, metric, tool, first_day, last_day } = ChallengeTerms.shape;
const ChallengeFacts = { id, title, metric, tool, first_day, last_day };

const Standing = object('WebhookStanding', 'A place in final standings.', {
  place: z.int().min(1).describe('The position in the list, unique even in a tie.'),
  rank: z.int().min(1).describe('Equal values share a rank.'),
  codename: NamedOperator,
  value: Value,
});

/** What each event says, by type. */
const DATA = {
  'record.set': z.strictObject({
    codename: NamedOperator,
    metric: MetricName,
    value: Value,
    first_day: Day.describe('The first of the 30 days.'),
    last_day: Day.describe('The last of the 30 days.'),
  }),
  'leader.changed': z.strictObject({
    codename: NamedOperator,
    previous_codename: NamedOperator,
    metric: MetricName,
    value: Value,
  }),
  'challenge.started': z.strictObject(ChallengeFacts),
  'challenge.finished': z.strictObject({
    ...ChallengeFacts,
    total: z.int().min(0).describe('The number of places.'),
    standings: z.array(Standing).max(WEBHOOK_PLACES).describe('The first places.'),
  }),
  'operator.joined': z.strictObject({ codename: NamedOperator }),
  'submission.held': z.strictObject({
    submission: z.uuid().describe('The ID of the submission.'),
    by: z.enum(['admin', 'check']).describe('Whether an admin or a check put it on hold.'),
    check: CheckId.nullable().describe('The check; null for an admin.'),
  }),
  'publication.stale': z.strictObject({
    age_seconds: z.int().min(0).describe('The age of the board that readers see.'),
  }),
  'backup.failed': z.strictObject({
    code: z.string().max(60).nullable().describe('The code of the system error; null for none.'),
  }),
  'witness.alarm': z.strictObject({
    witness: z.string().describe('The name of the witness in the policy.'),
    state: z
      .enum(['ahead', 'inconsistent'])
      .describe('Whether the witness saw more entries than the log has, or another history.'),
  }),
  'message.received': z.strictObject({
    message: z.uuid().describe('The ID of the message, for `opbench-board messages show`.'),
  }),
  'webhook.test': z.strictObject({
    webhook: z.string().max(60).describe('The ID of the webhook.'),
  }),
} satisfies Record<WebhookType, z.ZodObject>;

export type WebhookData<Type extends WebhookType> = z.infer<(typeof DATA)[Type]>;

/** An event as `data` of a payload, with its type. */
export type WebhookEvent = {
  [Type in WebhookType]: { type: Type; data: WebhookData<Type> };
}[WebhookType];

export type WebhookPayload = WebhookEvent & { timestamp: string; url: string };

/** The types that an admin can choose. Every webhook receives `webhook.test`. */
export const WEBHOOK_TYPES = (Object.keys(events) as WebhookType[]).filter(
  (type) => type !== 'webhook.test',
);

export const WEBHOOK_TEXTS: Readonly<
  Record<WebhookType, { summary: string; description: string; example: unknown }>
> = events;

/** A type as part of a name, such as `RecordSet`. */
export function webhookTypeName(type: string): string {
  return type.replaceAll(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** The body of a signed request, by type. */
export const WEBHOOK_PAYLOADS: Readonly<Record<WebhookType, z.ZodObject>> = Object.fromEntries(
  Object.entries(DATA).map(([type, data]) => {
    const payload = object(
      `${webhookTypeName(type)}Event`,
      events[type as WebhookType].description,
      {
        type: z.literal(type).describe('The type of event.'),
        timestamp: Timestamp.describe('When it happened. Retries do not change it.'),
        url: z.url().describe('A page of the board about it.'),
        data: data.describe('What happened.'),
      },
    );
    return [type, payload];
  }),
) as unknown as Record<WebhookType, z.ZodObject>;
