/** Turns schema violations into faults, each with the place and what is expected there. */
import { DomainError, type Fault } from './errors.ts';

interface Issue {
  path: readonly PropertyKey[];
  code: string;
  message: string;
}

interface Schema<Output> {
  safeParse(
    value: unknown,
    params: typeof IN_WORDS,
  ): { success: true; data: Output } | { success: false; error: { issues: readonly Issue[] } };
}

/** The most faults that one response lists. */
export const MAX_FAULTS = 20;

/**
 * Returns the value as the schema types it.
 *
 * @throws {DomainError} `validation_failed`, with a fault for each place that does not match.
 */
export function parseAs<Output>(schema: Schema<Output>, value: unknown, what: string): Output {
  const parsed = parseSafely(schema, value, what);
  if (parsed.success) return parsed.data;
  throw misfit(parsed.error.issues, what);
}

/**
 * Returns the entries of a long list as the schema types them. Stops reading once it has found as many
 * faults as a response lists.
 *
 * @param name The member that holds the list.
 * @throws {DomainError} `validation_failed`, with a fault for each place that does not match.
 */
export function parseEach<Output>(
  schema: Schema<Output>,
  values: readonly unknown[],
  { name, what }: { name: string; what: string },
): Output[] {
  const issues: Issue[] = [];
  const outputs: Output[] = [];
  for (const [index, value] of values.entries()) {
    const parsed = parseSafely(schema, value, what);
    if (parsed.success) {
      outputs.push(parsed.data);
      continue;
    }
    for (const issue of parsed.error.issues.slice(0, MAX_FAULTS)) {
      issues.push({ ...issue, path: [name, index, ...issue.path] });
    }
    if (issues.length >= MAX_FAULTS) break;
  }
  if (issues.length > 0) throw misfit(issues, what);
  return outputs;
}

/** @throws {DomainError} `validation_failed` if there are more faults than zod can collect. */
function parseSafely<Output>(schema: Schema<Output>, value: unknown, what: string) {
  try {
    return schema.safeParse(value, IN_WORDS);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new DomainError(
      'validation_failed',
      `${what} does not match its schema in very many places`,
    );
  }
}

function misfit(issues: readonly Issue[], what: string): DomainError {
  const faults = faultsOf(issues);
  return new DomainError('validation_failed', `${what} ${misfitOf(faults)}`, faults);
}

function misfitOf(faults: readonly Fault[]): string {
  if (faults.every(({ pointer }) => pointer === '#')) {
    return faults.map(({ detail }) => detail).join(', and ');
  }
  const count = faults.length === 1 ? '1 place' : `${faults.length} places`;
  return `does not match its schema in ${count}`;
}

/** At most 20 issues of a validation as faults. */
export function faultsOf(issues: readonly Issue[]): Fault[] {
  return issues.slice(0, MAX_FAULTS).map((issue) => ({
    pointer: pointerOf(issue.path),
    code: issue.code,
    detail: issue.message,
  }));
}

/**
 * Returns a path as a JSON Pointer fragment.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc6901#section-6 | RFC 6901, section 6}
 */
export function pointerOf(path: readonly PropertyKey[]): string {
  const parts = path.map((part) => String(part).replaceAll('~', '~0').replaceAll('/', '~1'));
  return ['#', ...parts.map(encodeURIComponent)].join('/');
}

/** The members of a zod issue that are used here. */
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
  datetime: 'must be a UTC time, such as 2026-03-01T12:00:00Z',
  email: 'must be an email address, such as ada@example.org',
  url: 'must be a URL, such as https://example.org/',
  uuid: 'must be a UUID',
};

/** Singular and plural of what a size limit counts, for types that have a size. */
const COUNTED: Readonly<Record<string, readonly [string, string]>> = {
  array: ['entry', 'entries'],
  string: ['character', 'characters'],
};

/** Returns undefined to keep zod's own message. A message of the schema itself takes precedence over both. */
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
      return misfit.input === undefined
        ? 'is missing'
        : "must match one of the schema's alternatives";
    case 'unrecognized_keys':
      return unknownWords(misfit['keys'] as string[]);
    default:
      return undefined;
  }
}

/** Options for `safeParse`: with them, messages say what is expected. */
export const IN_WORDS = { error: faultWords };

function unknownWords(keys: readonly string[]): string {
  const names = keys.map((key) => `"${key}"`).join(', ');
  return `has ${keys.length === 1 ? 'an unknown member' : 'unknown members'}: ${names}`;
}

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
