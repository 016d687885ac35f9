/**
 * A call of every operation and its answer, as the documents show it: one invented operator, one day, one snapshot,
 * one log entry. Signatures and hashes are real ones of keys that nobody uses, so every example can be checked.
 *
 * @module
 */
import examples from './examples.json' with { type: 'json' };

export interface Example {
  params: Readonly<Record<string, string>>;
  /** As it stands in the address. */
  query: Readonly<Record<string, string>>;
  /** Null without a body. */
  body: unknown;
  /** Bodies of the media types that take another. */
  bodies: Readonly<Record<string, unknown>>;
  reply: unknown;
}

/** An example of every operation, by its ID. */
export const EXAMPLES: Readonly<Record<string, Example>> = Object.fromEntries(
  Object.entries<Partial<Example> & Pick<Example, 'reply'>>(examples).map(([id, example]) => [
    id,
    { params: {}, query: {}, body: null, bodies: {}, ...example },
  ]),
);

/** Values of parameters that are optional and stand in no example of an operation, by name. */
export const PARAMETER_EXAMPLES: Readonly<Record<string, string>> = {
  as_of: '2026-11-20',
  class: 'rapids',
  cohort: 'students',
  cursor: '1207',
  device: 'a4f1e1de-2f0b-4c39-8a57-3a1d6b0c9e42',
  'Idempotency-Key': 'report-of-2026-11-20',
  include: 'unranked',
  q: 'ada',
  tool: 'claude-code',
};
