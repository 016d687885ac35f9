/**
 * Reads pasted text: a ccusage report, lines of a log, Operator Records, or four counts. Text that is ambiguous, or that
 * cannot be assigned to single UTC days, is rejected with an error that says what was recognized.
 *
 * @module
 */
import type { PastedFormat } from '../../schema/self-report.ts';
import { OperatorRecord } from '../../schema/record.ts';
import { type Bucket, UNKNOWN, type UsageEvent } from '../../schema/usage.ts';
import { bucketUsage, sortBuckets, bucketKey, totalOf } from '../../domain/counting/bucket.ts';
import { DomainError } from '../../domain/text/errors.ts';
import { groupBy } from '../../domain/text/group.ts';
import { METRIC_NAMES, recordMetrics } from '../../domain/metrics/metrics.ts';
import { bucketOfRecord } from '../../domain/metrics/record.ts';
import { IN_WORDS, faultsOf } from '../../domain/text/faults.ts';
import { isCcusage, readCcusage } from './ccusage.ts';
import { claudeCode } from '../claude-code.ts';
import { codex } from '../codex.ts';
import { type Fields, fieldsOf, parseFields } from '../shared/fields.ts';
import { readLabelledCounts, readPlainCounts } from './plain-counts.ts';
import { type Reader, skippedLines } from '../shared/reader.ts';

/** A note for the person before the records are sent. */
interface PastedWarning {
  code: string;
  detail: string;
}

/** The result: counts by day, provider, model and tool. */
interface Pasted {
  formats: PastedFormat[];
  buckets: Bucket[];
  warnings: PastedWarning[];
}

/**
 * Reads pasted text.
 *
 * @param today The UTC day for counts without a day.
 * @throws {DomainError} `ingest_unreadable`, with what was recognized.
 * @throws {DomainError} `count_out_of_range` if one bucket's total is above 2^53-1.
 */
export function readPasted(text: string, today: string): Pasted {
  const whole = valueIn(text);
  if (whole !== undefined) return readValue(whole, text, today);
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.some((line) => line.startsWith('{'))) return readLines(lines);
  const counts = readPlainCounts(text);
  return counts ? ofCounts(counts, today) : refuseUnknown();
}

function refuseUnknown(): never {
  throw unreadable('The text is not JSON, not lines of a known log, and not four token counts.');
}

/** An error that says what was recognized, and never contains pasted text. */
function unreadable(detail: string): DomainError {
  return new DomainError('ingest_unreadable', detail);
}

function valueIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** One JSON value: a report, records, a single log line, or labeled counts. */
function readValue(value: unknown, text: string, today: string): Pasted {
  const listed = Array.isArray(value) ? value : fieldsOf(value)?.records;
  if (Array.isArray(listed)) return ofRecords(readRecords(listed));
  const fields = fieldsOf(value);
  if (fields === null) return readCountsOf(value, text, today);
  if (isRecord(fields)) return ofRecords(readRecords([fields]));
  if (isCcusage(fields)) {
    const { uses, warnings } = readCcusage(fields);
    return { formats: ['ccusage'], buckets: bucketsOf(uses), warnings };
  }
  const counts = readLabelledCounts(fields);
  return counts ? ofCounts(counts, today) : readLines([JSON.stringify(fields)]);
}

/** Handles a single number, which is valid JSON. */
function readCountsOf(value: unknown, text: string, today: string): Pasted {
  const counts = typeof value === 'number' ? readPlainCounts(text) : null;
  return counts ? ofCounts(counts, today) : refuseUnknown();
}

/** JSON lines: records, or a log. */
function readLines(lines: readonly string[]): Pasted {
  const records = lines.filter((line) => line.includes('"telemetry"')).map(parseFields);
  const known = records.filter((record): record is Fields => record !== null && isRecord(record));
  if (known.length === 0) return readLogs(lines);
  if (known.length === lines.length) return ofRecords(readRecords(known));
  throw unreadable(
    `${known.length} of ${lines.length} lines are Operator Records. Paste only those.`,
  );
}

/** The tools whose logs have one response in each line. */
const LOGS: readonly Reader[] = [claudeCode, codex];

/** The lines of one or more logs, each response once. */
function readLogs(lines: readonly string[]): Pasted {
  const formats: PastedFormat[] = [];
  const warnings: PastedWarning[] = [];
  const uses: ToolUse[] = [];
  for (const reader of LOGS) {
    const file = reader.open('pasted');
    for (const line of lines) {
      if (reader.needles.some((needle) => line.includes(needle))) file.line(line.trim());
    }
    const usage = file.finish();
    const events = reader.merge([usage]);
    if (events.length === 0) continue;
    formats.push(reader.tool as PastedFormat);
    uses.push(...events.map((event) => ({ ...event, tool: reader.tool })));
    const skipped = skippedLines(usage.skipped);
    if (skipped > 0) warnings.push(skippedWarning(reader.tool, skipped));
  }
  if (uses.length === 0) {
    const what =
      lines.length === 1 ? 'The JSON contains no' : `The ${lines.length} lines contain no`;
    throw unreadable(`${what} token counts of Claude Code, Codex or ccusage.`);
  }
  if (uses.some(({ provider, model }) => provider === UNKNOWN || model === UNKNOWN)) {
    const detail = `Some responses have no provider or model. "${UNKNOWN}" is used.`;
    warnings.push({ code: 'source_unknown', detail });
  }
  warnings.push({
    code: 'log_may_be_partial',
    detail: 'Days for which you pasted only a part of the log are too low.',
  });
  return { formats, buckets: bucketsOf(uses), warnings };
}

function skippedWarning(tool: string, lines: number): PastedWarning {
  return {
    code: 'lines_skipped',
    detail: `${lines} lines of ${tool} are damaged or have invalid values.`,
  };
}

/** Usage with its tool. */
type ToolUse = UsageEvent & { tool: string };

function bucketsOf(uses: readonly ToolUse[]): Bucket[] {
  const byTool = groupBy(uses, ({ tool }) => tool);
  return sortBuckets([...byTool].flatMap(([tool, events]) => bucketUsage(tool, events)));
}

function ofRecords(read: { buckets: Bucket[]; warnings: PastedWarning[] }): Pasted {
  return { formats: ['records'], ...read };
}

function ofCounts(counts: OperatorRecord['telemetry'], today: string): Pasted {
  const { input, output, cache_write = null, cache_read = null } = counts;
  const source = { provider: UNKNOWN, model: UNKNOWN, tool: UNKNOWN };
  const bucket = { day: today, ...source, input, output, cache_write, cache_read };
  const detail = `The counts have no day, provider, model and tool. ${today} and "${UNKNOWN}" are used.`;
  return { formats: ['counts'], buckets: [bucket], warnings: [{ code: 'source_unknown', detail }] };
}

/** Whether an object looks like a record. The schema validates it later. */
function isRecord(fields: Fields): boolean {
  return 'spec' in fields && 'telemetry' in fields;
}

/**
 * The buckets of records, each once.
 *
 * @throws {DomainError} `ingest_unreadable` if one is not a daily record, or two contradict each other.
 */
function readRecords(values: readonly unknown[]) {
  if (values.length === 0) throw refused('The list is empty.');
  const buckets = new Map<string, Bucket>();
  const warnings = new Set<string>();
  values.forEach((value, index) => {
    const record = parseRecord(value, index);
    const bucket = bucketOfRecord(record);
    const known = buckets.get(bucketKey(bucket));
    if (known && !areEqual(known, bucket)) {
      throw refused(`Record ${index + 1} contradicts an earlier one for the same day and source.`);
    }
    if (known) warnings.add('records_repeated');
    if (hasOtherMetrics(record, bucket)) warnings.add('metrics_recomputed');
    buckets.set(bucketKey(bucket), bucket);
  });
  const told = [...warnings].sort().map((code) => ({ code, detail: WARNINGS[code] ?? '' }));
  return { buckets: sortBuckets([...buckets.values()]), warnings: told };
}

const WARNINGS: Readonly<Record<string, string>> = {
  metrics_recomputed: 'Metrics that did not match the counts were recomputed.',
  records_repeated: 'Repeated records are counted once.',
};

function parseRecord(value: unknown, index: number): OperatorRecord {
  const parsed = OperatorRecord.safeParse(value, IN_WORDS);
  const place = `Record ${index + 1}`;
  if (!parsed.success) {
    const faults = faultsOf(parsed.error.issues);
    const where = faults.map(({ pointer, detail }) => `${pointer}: ${detail}`).join('; ');
    throw new DomainError('ingest_unreadable', `${place} is not an Operator Record (${where})`);
  }
  const window = parsed.data.context?.window ?? '1d';
  if (window !== '1d') throw refused(`${place} covers more than one UTC day.`);
  return parsed.data;
}

function areEqual(a: Bucket, b: Bucket): boolean {
  const sameCaches = a.cache_write === b.cache_write && a.cache_read === b.cache_read;
  return sameCaches && a.input === b.input && totalOf(a) === totalOf(b);
}

function hasOtherMetrics({ metrics }: OperatorRecord, bucket: Bucket): boolean {
  const own = recordMetrics(bucket);
  return METRIC_NAMES.some((name) => metrics[name] !== own[name]);
}

function refused(detail: string): DomainError {
  return new DomainError('ingest_unreadable', `These are Operator Records. ${detail}`);
}
