/** The Operator Record, version 0.1-draft: section 2.1 of the specification. Unknown members are rejected where its tables say so. */
import * as z from 'zod';
import { object } from './object.ts';
import { list } from './texts.ts';
import { Label, Timestamp, TokenCount } from './scalars.ts';
import { RECORD_SPEC } from './usage.ts';

export const MetricName = z
  .enum(['yield', 'leverage', 'velocity', 'snr', 'dev10x'])
  .meta({ id: 'MetricName', description: 'The metric.' });
export type MetricName = z.infer<typeof MetricName>;

export const Source = z
  .strictObject({
    provider: Label.describe('The provider of the model.'),
    model: Label.describe("The tool's name for the model."),
    tool: Label.describe('The assistant that wrote the log.'),
  })
  .describe(
    'The assistant and model that used the tokens. Names must not begin or end with white space.',
  )
  .meta({ id: 'Source' });

export const Telemetry = object('Telemetry', 'Token counts by type.', {
  input: TokenCount.describe('Fresh input tokens, not served from a cache.'),
  output: TokenCount.describe('Output tokens, reasoning included.'),
  cache_write: TokenCount.nullish().describe('Tokens written to the cache; null if not reported.'),
  cache_read: TokenCount.nullish().describe('Tokens read from the cache; null if not reported.'),
});
export type Telemetry = z.infer<typeof Telemetry>;

const Metric = z.number().nullable();
const UNDEFINED = 'null if undefined';

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
  .describe('How much of the operator is public.')
  .meta({ id: 'PrivacyMode' });
export type PrivacyMode = z.infer<typeof PrivacyMode>;

/** Limits for what a record contains apart from its counts. Records are stored exactly as received. */
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
    operator_id: ContextText.nullish().describe('Ignored. Null means absent.'),
    cohort_id: ContextText.nullish().describe('Ignored. Null means absent.'),
    window: ContextText.nullish().describe(
      'The time that the record covers: must be "1d", null or absent.',
    ),
    privacy_mode: PrivacyMode.nullish().describe('Ignored. Null means absent.'),
    fingerprint: ContextText.nullish().describe(
      'Identifies the responses behind the counts, so that those submitted by two devices of an account count once: base64url without padding of the 1 to 15 smallest keyed hashes, each 4 bytes, big-endian, ascending. Null means absent. Ignored in unsigned records.',
    ),
  })
  .refine(
    isShortContext,
    `must have at most ${RECORD_BOUNDS.context_members} members and ${RECORD_BOUNDS.context_characters} characters of JSON`,
  )
  .describe(
    `Context of a record. Other members are ignored. At most ${RECORD_BOUNDS.context_members} members and ${RECORD_BOUNDS.context_characters} characters of JSON.`,
  )
  .meta({ id: 'RecordContext' });

export const OperatorRecord = object(
  'OperatorRecord',
  'The token counts of one day, model and tool.',
  {
    spec: z.literal(RECORD_SPEC).describe('The specification that the record follows.'),
    timestamp: Timestamp.describe('A time on the UTC day that the record covers.'),
    source: Source,
    telemetry: Telemetry,
    metrics: Metrics,
    warnings: list(z.string().max(RECORD_BOUNDS.warning_characters), {
      max: RECORD_BOUNDS.warnings,
    })
      .optional()
      .describe('One line for each null metric, causes first.'),
    context: RecordContext.optional(),
  },
);
export type OperatorRecord = z.infer<typeof OperatorRecord>;
