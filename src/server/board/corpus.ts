import type { CorpusEnd, CorpusQuery, CorpusRecord } from '#core/contract/corpus.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { composeRecord } from '#core/domain/metrics/record.ts';
import type { AppContext } from '../context.ts';
import { inChunks } from '#server/process/yield-to-event-loop.ts';
import { invalidCursor } from '#server/publication/read/bounded-page.ts';

type Corpus = AppContext['store']['corpus'];
type CorpusOperator = ReturnType<Corpus['operators']>[number];
type CorpusBucket = ReturnType<Corpus['buckets']>[number];

/** Operators per query. */
const OPERATORS = 100;
/** Buckets per chunk, which takes a few milliseconds to read and write. */
const BUCKETS = 200;

/**
 * The corpus as chunks of NDJSON, created on demand. No transaction stays open between chunks: an operator who
 * changes in the meantime is skipped and appears again at the log position of the change.
 *
 * @throws {DomainError} `query_invalid` for a foreign cursor, or a position beyond the log.
 */
export function readCorpus(ctx: AppContext, { since, cursor }: CorpusQuery): Iterable<string> {
  const place = cursor === undefined ? { after: since, skipped: 0 } : placeOf(cursor);
  const head = ctx.store.log.head()?.index ?? 0;
  if (cursor === undefined && since > head) throw beyond(head);
  if (cursor !== undefined && place.after >= head) throw invalidCursor();
  return inChunks(linesOf(ctx, place));
}

/** Rejects positions beyond the log, from which a reader would miss changes. */
function beyond(head: number): DomainError {
  const detail = `The log ends at ${head}. Use 0 to get the whole corpus`;
  return new DomainError('query_invalid', detail, [
    { pointer: '#/since', code: 'too_big', detail },
  ]);
}

/** The last change already sent, and the number of lines already sent of the next operator. */
interface CorpusPlace {
  after: number;
  skipped: number;
}

/** @throws {DomainError} `query_invalid` for a foreign cursor. */
function placeOf(cursor: string): CorpusPlace {
  const [, change, lines] = /^([1-9]\d{0,14})\.([1-9]\d{0,8})$/.exec(cursor) ?? [];
  if (change === undefined) throw invalidCursor();
  return { after: Number(change) - 1, skipped: Number(lines) };
}

function* linesOf({ store }: AppContext, place: CorpusPlace): Generator<string> {
  const first = place.after + 1;
  let { after } = place;
  for (;;) {
    const operators = store.corpus.operators(after, OPERATORS);
    if (operators.length === 0) break;
    for (const operator of operators) {
      const skipped = operator.log_index === first ? place.skipped : 0;
      yield* recordsOf(store, operator, skipped);
      after = operator.log_index;
    }
  }
  yield line({ log_index: after });
}

function* recordsOf(
  { corpus, snapshot }: AppContext['store'],
  operator: CorpusOperator,
  skipped: number,
): Generator<string> {
  let lines = skipped;
  let behind: CorpusBucket | number = skipped;
  for (;;) {
    const page = { behind, limit: BUCKETS };
    const buckets: CorpusBucket[] = snapshot(() =>
      corpus.takesPart(operator) ? corpus.buckets(operator.id, page) : [],
    );
    for (const bucket of buckets) {
      lines += 1;
      yield line(recordOf(operator, bucket, lines));
    }
    const last = buckets.at(-1);
    if (!last || buckets.length < BUCKETS) return;
    behind = last;
  }
}

function recordOf(operator: CorpusOperator, bucket: CorpusBucket, lines: number): CorpusRecord {
  const { public_id, public_name, privacy_mode, log_index } = operator;
  return {
    ...composeRecord(bucket),
    context: {
      operator_id: public_name ?? '',
      privacy_mode,
      window: '1d',
      account: public_id,
      trust: bucket.trust,
      cursor: `${log_index}.${lines}`,
    },
  };
}

function line(value: CorpusEnd | CorpusRecord): string {
  return `${JSON.stringify(value)}\n`;
}
