/**
 * An example call and response of every operation, with one invented operator, day, snapshot and log entry. Signatures
 * and hashes are real, made with keys that nobody uses, so every example can be verified.
 *
 * @module
 */
import examples from './examples.json' with { type: 'json' };

export interface Example {
  params: Readonly<Record<string, string>>;
  /** The query parameters as strings. */
  query: Readonly<Record<string, string>>;
  /** Null if there is no body. */
  body: unknown;
  /** Bodies by media type, where they differ from `body`. */
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

/** Values of optional parameters that no example uses, by name. */
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
