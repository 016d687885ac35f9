/** Schema violations as faults that name the place. */
import { DomainError, type Fault } from './errors.ts';
import { IN_WORDS } from './fault-words.ts';

interface Issue {
  path: readonly PropertyKey[];
  code: string;
  message: string;
}

/** As much of a zod schema as is needed here. */
interface Schema<Output> {
  safeParse(
    value: unknown,
    params: typeof IN_WORDS,
  ): { success: true; data: Output } | { success: false; error: { issues: readonly Issue[] } };
}

/** The most faults that one answer lists. */
export const MAX_FAULTS = 20;

/**
 * The value as the schema types it.
 *
 * @throws {DomainError} `validation_failed`, with a fault for each place, if it does not fit.
 */
export function parseAs<Output>(schema: Schema<Output>, value: unknown, what: string): Output {
  const parsed = parseSafely(schema, value, what);
  if (parsed.success) return parsed.data;
  throw misfit(parsed.error.issues, what);
}

/**
 * The entries of a long list as the schema types them, one after the other: what is behind the most
 * faults that are told is not looked at.
 *
 * @param name The member that holds the list.
 * @throws {DomainError} `validation_failed`, with a fault for each place, if one does not fit.
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

/** @throws {DomainError} `validation_failed` where there are more faults than can be collected. */
function parseSafely<Output>(schema: Schema<Output>, value: unknown, what: string) {
  try {
    return schema.safeParse(value, IN_WORDS);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new DomainError(
      'validation_failed',
      `${what} does not fit its schema in very many places`,
    );
  }
}

function misfit(issues: readonly Issue[], what: string): DomainError {
  const faults = faultsOf(issues);
  return new DomainError('validation_failed', `${what} ${misfitOf(faults)}`, faults);
}

/** What the whole must be, or else how many of its places are wrong. */
function misfitOf(faults: readonly Fault[]): string {
  if (faults.every(({ pointer }) => pointer === '#')) {
    return faults.map(({ detail }) => detail).join(', and ');
  }
  const count = faults.length === 1 ? '1 place' : `${faults.length} places`;
  return `does not fit its schema in ${count}`;
}

/** A validation's issues, one fault a place, at most 20. */
export function faultsOf(issues: readonly Issue[]): Fault[] {
  return issues.slice(0, MAX_FAULTS).map((issue) => ({
    pointer: pointerOf(issue.path),
    code: issue.code,
    detail: issue.message,
  }));
}

/**
 * A path as JSON Pointer fragment.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc6901#section-6 | RFC 6901, section 6}
 */
export function pointerOf(path: readonly PropertyKey[]): string {
  const parts = path.map((part) => String(part).replaceAll('~', '~0').replaceAll('/', '~1'));
  return ['#', ...parts.map(encodeURIComponent)].join('/');
}
