/** What is wrong with a value that does not fit a schema, in words that say what it must be. */

/** As much of what zod tells of a misfit as is needed here. */
interface Misfit {
  readonly code?: string | undefined;
  readonly input?: unknown;
  readonly [more: string]: unknown;
}

const KINDS: Readonly<Record<string, string>> = {
  array: 'must be a list',
  boolean: 'must be true or false',
  int: 'must be a whole number',
  nonoptional: 'is missing',
  null: 'must be null',
  number: 'must be a number',
  object: 'must be an object',
  record: 'must be an object',
  string: 'must be text',
};

const FORMATS: Readonly<Record<string, string>> = {
  date: 'must be a day, such as 2026-03-01',
  datetime: 'must be a moment in UTC, such as 2026-03-01T12:00:00Z',
  email: 'must be an address, such as ada@example.org',
  url: 'must be an address, such as https://example.org/',
  uuid: 'must be a UUID',
};

/** What is counted of a value, one and several, where it is not the value itself. */
const COUNTED: Readonly<Record<string, readonly [string, string]>> = {
  array: ['entry', 'entries'],
  string: ['character', 'characters'],
};

/** Undefined where there is nothing better than zod's own words. Words of a schema's own go before these. */
function faultWords(misfit: Misfit): string | undefined {
  switch (misfit.code) {
    case 'invalid_type':
      return misfit.input === undefined ? 'is missing' : KINDS[String(misfit['expected'])];
    case 'invalid_value':
      return choiceWords(misfit);
    case 'too_big':
      return boundWords(misfit, misfit['maximum'], ['at most', 'less than']);
    case 'too_small':
      return boundWords(misfit, misfit['minimum'], ['at least', 'more than']);
    case 'invalid_format':
      return formatWords(misfit);
    case 'invalid_union':
      return misfit.input === undefined ? 'is missing' : 'must be one of what the schema names';
    case 'unrecognized_keys':
      return `takes no ${(misfit['keys'] as string[]).map((key) => `"${key}"`).join(', ')}`;
    default:
      return undefined;
  }
}

/** What a schema is parsed with, so that its faults say what to do. */
export const IN_WORDS = { error: faultWords };

function choiceWords({ input, ...misfit }: Misfit): string {
  const values = (misfit['values'] as unknown[]).map(String);
  const must = `must be ${values.length > 1 ? 'one of: ' : ''}${values.join(', ')}`;
  return input === undefined ? `is missing; ${must}` : must;
}

function formatWords({ format, pattern }: Misfit): string | undefined {
  return format === 'regex' ? `must match ${String(pattern)}` : FORMATS[String(format)];
}

function boundWords(
  misfit: Misfit,
  bound: unknown,
  [within, beyond]: readonly [string, string],
): string {
  const counted = COUNTED[String(misfit['origin'])];
  const most = `${misfit['inclusive'] === false ? beyond : within} ${String(bound)}`;
  if (counted === undefined) return `must be ${most}`;
  return `must have ${most} ${counted[bound === 1 ? 0 : 1]}`;
}
