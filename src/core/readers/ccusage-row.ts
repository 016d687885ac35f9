/** One row of a ccusage report: what each model used. */
import { DomainError } from '../domain/text/errors.ts';
import { type Pillars, UNKNOWN } from '../schema/usage.ts';
import { type Fields, arePossible, countOf, fieldsOf, labelOf } from './fields.ts';

/** What a row tells of one model. */
export type CcusagePart = Pillars & { model: string };

/**
 * A row's models; what none of them accounts for is of an unknown one.
 *
 * @throws {DomainError} `ingest_unreadable` if the row does not tell what each model used.
 */
export function partsOf(row: Fields): CcusagePart[] {
  const named = namedParts(row);
  const whole = pillarsIn(row);
  const rest = named.reduce<Pillars>((left, part) => minus(left, part), whole);
  if (!arePossible(rest)) throw refused('The models of a row add up to more than the row');
  return [...named, { ...rest, model: UNKNOWN }].filter((part) => !isEmpty(part));
}

function namedParts(row: Fields): CcusagePart[] {
  const { modelBreakdowns, modelsUsed } = row;
  const models = fieldsOf(row.models);
  if (Array.isArray(modelBreakdowns)) {
    return modelBreakdowns
      .map(rowOf)
      .map((part) => ({ ...pillarsIn(part), model: modelIn(part.modelName) }));
  }
  if (models) {
    return Object.entries(models).map(([model, part]) => ({
      ...pillarsIn(rowOf(part)),
      model: modelIn(model),
    }));
  }
  const [only, ...others] = Array.isArray(modelsUsed) ? modelsUsed : [];
  if (only === undefined || others.length > 0) {
    throw refused('It does not tell what each model used; run it with --breakdown');
  }
  return [{ ...pillarsIn(row), model: modelIn(only) }];
}

/** A row, or a part of one. */
export function rowOf(value: unknown): Fields {
  const row = fieldsOf(value);
  if (row === null) throw refused('A row is not an object');
  return row;
}

function modelIn(value: unknown): string {
  const model = labelOf(value);
  if (model === null) throw refused('A model has an impossible name');
  return model;
}

/** The counts of a row or model. Codex' reports of before 20 count what was cached as input too. */
function pillarsIn(fields: Fields): Pillars {
  const cached = countOf(fields.cachedInputTokens);
  const pillars = {
    input: (countOf(fields.inputTokens) ?? NaN) - (cached ?? 0),
    output: countOf(fields.outputTokens) ?? NaN,
    cache_write: countOf(fields.cacheCreationTokens),
    cache_read: cached ?? countOf(fields.cacheReadTokens),
  };
  if (!arePossible(pillars))
    throw refused('A count is missing, or not a whole number from 0 to 2^53-1');
  return pillars;
}

function minus(a: Pillars, b: Pillars): Pillars {
  const left = (from: number | null, part: number | null) =>
    from === null && part === null ? null : (from ?? 0) - (part ?? 0);
  return {
    input: a.input - b.input,
    output: a.output - b.output,
    cache_write: left(a.cache_write, b.cache_write),
    cache_read: left(a.cache_read, b.cache_read),
  };
}

function isEmpty({ input, output, cache_write, cache_read }: Pillars): boolean {
  return input + output + (cache_write ?? 0) + (cache_read ?? 0) === 0;
}

/** A refusal that says what was understood. */
export function refused(detail: string): DomainError {
  return new DomainError('ingest_unreadable', `This is a report of ccusage. ${detail}`);
}
