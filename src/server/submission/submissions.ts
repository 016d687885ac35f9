import type { Submissions, SubmissionsQuery } from '#core/contract/submissions.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import type { LoggedEnvelope } from '#core/schema/self-report.ts';
import type { Caller } from '#core/schema/account.ts';
import type { RecordStates, Submission, SubmissionDetail } from '#core/schema/submission.ts';
import type { AppContext } from '../context.ts';
import { boundedPage, readIndexCursor } from '../publication/read/bounded-page.ts';
import { publicOperator } from '#server/publication/read/current-publication.ts';
import { countingIn } from '../publication/read/recent-days.ts';
import { type SharedRecord, sharedRecords } from './shared-counts.ts';

type SubmissionRow = NonNullable<ReturnType<AppContext['store']['submissions']['byId']>>;

/** Call before {@linkcode readSubmissions}: counts the buckets of large accounts, yielding to the event loop. */
export async function readySubmissions(ctx: AppContext, query: SubmissionsQuery): Promise<void> {
  const { rows } = pageRows(ctx, query);
  for (const stretch of stretchesOf(rows)) await countingIn(ctx, stretch).ready();
}

/** The same, to call before {@linkcode readSubmission}. */
export async function readySubmission(ctx: AppContext, id: string): Promise<void> {
  const row = ctx.store.submissions.byId(id);
  if (!row) return;
  for (const stretch of stretchesOf([row])) await countingIn(ctx, stretch).ready();
  await sharedRecords(ctx, row).ready();
}

/**
 * A page of the accepted submissions, newest first.
 *
 * @throws {DomainError} `not_found` for an unknown codename, `query_invalid` for an invalid cursor.
 */
export function readSubmissions(ctx: AppContext, query: SubmissionsQuery): Submissions {
  return boundedPage(query.limit, (limit) => readPage(ctx, { ...query, limit }));
}

/** How many of an operator's own submissions are on a page. */
const OWN_LIMIT = 20;

/**
 * A page of the caller's own submissions, newest first, whether others can see them or not.
 *
 * @param cursor The cursor at the end of the previous page; null for the first page.
 */
export async function readOwnSubmissions(
  ctx: AppContext,
  { operator_id }: Pick<Caller, 'operator_id'>,
  cursor: string | null,
): Promise<Submissions> {
  const { store } = ctx;
  const filter = { operator_id, signed: false };
  const before = cursor === null ? Number.MAX_SAFE_INTEGER : readIndexCursor(cursor);
  const rows = store.submissions.page(filter, before, OWN_LIMIT + 1);
  const shown = rows.slice(0, OWN_LIMIT);
  for (const stretch of stretchesOf(shown)) await countingIn(ctx, stretch).ready();
  return {
    total: store.submissions.total(filter),
    entries: withStates(ctx, shown).map(([row, states]) => submissionOf(row, states)),
    next_cursor: rows.length > OWN_LIMIT ? String(shown.at(-1)?.log_index) : null,
  };
}

function readPage(ctx: AppContext, query: SubmissionsQuery): Submissions {
  const { store } = ctx;
  const { limit } = query;
  return store.snapshot(() => {
    const { rows, filter } = pageRows(ctx, query);
    const shown = rows.slice(0, limit);
    return {
      total: store.submissions.total(filter),
      entries: withStates(ctx, shown).map(([row, states]) => submissionOf(row, states)),
      next_cursor: rows.length > limit ? String(shown.at(-1)?.log_index) : null,
    };
  });
}

/** The rows of a page, and one more if there is one. */
function pageRows(ctx: AppContext, { codename, trust, limit, cursor }: SubmissionsQuery) {
  const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : readIndexCursor(cursor);
  const operator_id = codename === undefined ? null : publicOperator(ctx, codename).id;
  const filter = { operator_id, signed: trust === 'signed' };
  return { filter, rows: ctx.store.submissions.page(filter, before, limit + 1) };
}

/**
 * One submission, as the public or its operator may see it.
 *
 * @param caller The caller, if known.
 * @throws {DomainError} `not_found` if there is no such submission that the caller may see.
 */
export function readSubmission(
  ctx: AppContext,
  id: string,
  caller: Caller | null = null,
): SubmissionDetail {
  return ctx.store.snapshot(() => {
    const [found] = withStates(ctx, [submissionRow(ctx, id, caller)]);
    const [row, states] = found as [SubmissionRow, RecordStates];
    const { keyid, submission_id } = row;
    return {
      ...submissionOf(row, states),
      keyid,
      submission_id,
      collector: collectorOf(row),
      covers: coversOf(row),
      shared: sharedOf(sharedRecords(ctx, row).read()),
    };
  });
}

/**
 * The envelope of a submission as the log stores it.
 *
 * @throws {DomainError} `not_found` if there is no such public submission, or it was erased.
 */
export function readSubmissionEnvelope(ctx: AppContext, id: string): LoggedEnvelope {
  const { log_index } = submissionRow(ctx, id, null);
  const payload = ctx.store.log.at(log_index)?.payload;
  if (!payload) throw notFound(id);
  return JSON.parse(new TextDecoder().decode(payload)) as LoggedEnvelope;
}

function submissionRow(ctx: AppContext, id: string, caller: Caller | null): SubmissionRow {
  const row = ctx.store.submissions.byId(id);
  if (row && (row.is_open === 1 || row.operator_id === caller?.operator_id)) return row;
  throw notFound(id);
}

function notFound(id: string): DomainError {
  return new DomainError('not_found', `There is no submission ${id}`);
}

function sharedOf(records: readonly SharedRecord[]): SubmissionDetail['shared'] {
  const tokens = records.reduce((sum, record) => sum + record.tokens, 0);
  const in_part = records.filter(({ isPart }) => isPart).length;
  return { records: records.length, tokens, in_part };
}

function collectorOf(row: SubmissionRow): SubmissionDetail['collector'] {
  const { collector_name: name, collector_version: version } = row;
  return name === null || version === null ? null : { name, version };
}

function coversOf({ covers_from, covers_to }: SubmissionRow): SubmissionDetail['covers'] {
  return covers_from === null || covers_to === null ? null : { from: covers_from, to: covers_to };
}

function submissionOf(row: SubmissionRow, states: RecordStates): Submission {
  const { log_index, id, codename, received_at, records, days, first_day, last_day } = row;
  return {
    log_index,
    id,
    codename,
    trust: row.keyid === null ? 'self_reported' : 'signed',
    received_at,
    records,
    days,
    first_day,
    last_day,
    tools: JSON.parse(row.tools) as string[],
    states,
    entry_hash: row.entry_hash,
  };
}

/** Adds the states of each submission's records. */
function withStates(
  ctx: AppContext,
  rows: readonly SubmissionRow[],
): [SubmissionRow, RecordStates][] {
  const counting = new Map<number, number>();
  for (const stretch of stretchesOf(rows)) {
    for (const [log_index, count] of countingIn(ctx, stretch).read())
      counting.set(log_index, count);
  }
  return rows.map((row) => [row, statesOf(row, counting.get(row.log_index) ?? 0)]);
}

/** The spans to scan for the states of some rows: for each operator, the days in its rows. */
function stretchesOf(rows: readonly SubmissionRow[]) {
  return [...Map.groupBy(rows, (row) => row.operator_id)].map(([operator_id, own]) => {
    const places = own.map(({ log_index }) => log_index);
    const from = least(own.map(({ first_day }) => first_day));
    const to = greatest(own.map(({ last_day }) => last_day));
    return { operator_id, from, to, first: Math.min(...places), last: Math.max(...places) };
  });
}

/** Holds, rejections and withdrawals concern whole submissions. In an accepted one, records that do not count are superseded. */
function statesOf({ state, records }: SubmissionRow, counting: number): RecordStates {
  const none = { counting: 0, superseded: 0, held: 0, rejected: 0, withdrawn: 0, erased: 0 };
  return state === 'accepted'
    ? { ...none, counting, superseded: records - counting }
    : { ...none, [state]: records };
}

function least(days: readonly string[]): string {
  return days.reduce((a, b) => (b < a ? b : a));
}

function greatest(days: readonly string[]): string {
  return days.reduce((a, b) => (b > a ? b : a));
}
