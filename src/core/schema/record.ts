/** The Operator Record, version 0.1-draft: the specification's section 2.1, closed as its tables say. */
import * as z from 'zod';
import { object } from './object.ts';
import { list } from './texts.ts';
import { Label, Timestamp, TokenCount } from './scalars.ts';
import { RECORD_SPEC } from './usage.ts';

export const MetricName = z
  .enum(['yield', 'leverage', 'velocity', 'snr', 'dev10x'])
  .meta({ id: 'MetricName', description: 'What is measured.' });
export type MetricName = z.infer<typeof MetricName>;

export const Source = z
  .strictObject({
    provider: Label.describe('Who runs the model.'),
    model: Label.describe('The model, as the tool names it.'),
    tool: Label.describe('The assistant that wrote the log.'),
  })
  .describe(
    'Which assistant and model the tokens are of; what is sent has no white space around its names.',
  )
  .meta({ id: 'Source' });

export const Telemetry = object('Telemetry', 'The four pillars, in tokens.', {
  input: TokenCount.describe('Fresh input tokens, not served from a cache.'),
  output: TokenCount.describe('Output tokens, reasoning included.'),
  cache_write: TokenCount.nullish().describe('Tokens written to the cache; null if not reported.'),
  cache_read: TokenCount.nullish().describe('Tokens read from the cache; null if not reported.'),
});
export type Telemetry = z.infer<typeof Telemetry>;

const Metric = z.number().nullable();
const UNDEFINED = 'null where undefined';

export const Metrics = object('Metrics', 'A value for each metric.', {
  yield: Metric.describe(`cache_read x output / input^2; ${UNDEFINED}.`),
  leverage: Metric.describe(`cache_read / input; ${UNDEFINED}.`),
  velocity: Metric.describe(`output / input; ${UNDEFINED}.`),
  snr: Metric.describe(`output / (input + output); ${UNDEFINED}.`),
  dev10x: Metric.describe(`log10(cache_read / input); ${UNDEFINED}.`),
});
export type Metrics = z.infer<typeof Metrics>;

export const PrivacyMode = z
  .enum(['anonymous', 'pseudonymous', 'private', 'identified'])
  .describe('How much of the operator is shown.')
  .meta({ id: 'PrivacyMode' });
export type PrivacyMode = z.infer<typeof PrivacyMode>;

/** What a record may hold besides its counts: every record of a submission is kept as it was sent. */
export const RECORD_BOUNDS = {
  warnings: 10,
  warning_characters: 200,
  context_members: 20,
  context_characters: 2048,
} as const;

const ContextText = z.string().max(200);

function isShortContext(context: object): boolean {
  const { context_members, context_characters } = RECORD_BOUNDS;
  return (
    Object.keys(context).length <= context_members &&
    JSON.stringify(context).length <= context_characters
  );
}

const RecordContext = z
  .looseObject({
    operator_id: ContextText.nullish().describe('Not read here; null as if absent.'),
    cohort_id: ContextText.nullish().describe('Not read here; null as if absent.'),
    window: ContextText.nullish().describe(
      'The time that the record covers; here "1d", null or absent.',
    ),
    privacy_mode: PrivacyMode.nullish().describe('Not read here; null as if absent.'),
    fingerprint: ContextText.nullish().describe(
      'Which responses are behind the counts: base64url without padding of the 1 to 15 smallest of their keyed hashes, each 4 bytes, big-endian and ascending. Responses that two devices of one account sent are counted once by it. Null as if absent; not read where nobody signed.',
    ),
  })
  .refine(
    isShortContext,
    `must have at most ${RECORD_BOUNDS.context_members} members and ${RECORD_BOUNDS.context_characters} characters of JSON`,
  )
  .describe(
    `What surrounds a record; other members are not read. At most ${RECORD_BOUNDS.context_members} members and ${RECORD_BOUNDS.context_characters} characters of JSON.`,
  )
  .meta({ id: 'RecordContext' });

export const OperatorRecord = object('OperatorRecord', 'One day of one model in one tool.', {
  spec: z.literal(RECORD_SPEC).describe('The specification that it follows.'),
  timestamp: Timestamp.describe('An instant on the UTC day that the record is of.'),
  source: Source,
  telemetry: Telemetry,
  metrics: Metrics,
  warnings: list(z.string().max(RECORD_BOUNDS.warning_characters), {
    max: RECORD_BOUNDS.warnings,
  })
    .optional()
    .describe('One line for each null, causes first.'),
  context: RecordContext.optional(),
});
export type OperatorRecord = z.infer<typeof OperatorRecord>;
