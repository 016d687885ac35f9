import { addPillars, totalOf } from '#core/domain/counting/bucket.ts';
import { plain } from '#core/domain/text/terminal-text.ts';
import { type SkipReason, type Skips, skippedLines } from '#core/readers/shared/reader.ts';
import { nameOfTool } from '#core/readers/readers.ts';
import type { Bucket, Pillars } from '#core/schema/usage.ts';
import type { AgentOutput } from '../command.ts';
import type { ScanResult } from '../logs/scan.ts';
import { counted, figure, shortFigure } from './figures.ts';

/**
 * The totals of a scan by tool that has logs. With `days` set, only the tokens of those days, with one row for each day. Files and
 * responses are then in a separate table, because they cover all days. Does not use {@linkcode tableLines}, which
 * takes longer to load than a scan.
 */
export function scanText(
  { sources, buckets }: ScanResult,
  totals: Pillars,
  { days }: { days: number | null },
): string {
  const ofTools = sumsBy(buckets, ({ tool }) => tool);
  const used = sources.filter(({ files, unreadable }) => files + unreadable.length > 0);
  if (used.length === 0) return NO_LOGS;
  const logs = used.flatMap(({ tool, files, events, skipped }) => {
    const counts = [shortFigure(files), shortFigure(events)];
    const sums = ofTools.get(tool) ?? NOTHING;
    return [
      days === null ? tableRow(tool, counts, sums) : nameRow(tool, counts),
      ...skippedText(tool, skipped).map((line) => `    ${line}`),
    ];
  });
  const counts = ['files', 'responses'];
  if (days === null) {
    return [tableHead('Logs', counts), ...logs, ...totalLines(totals)].join('\n');
  }
  const tools = [...ofTools].map(([tool, sums]) => tableRow(tool, NO_COUNTS, sums));
  const byDay = [...sumsBy(buckets, ({ day }) => day)].sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    nameRow('Logs, all days', counts, 0),
    ...logs,
    tableHead(days === 1 ? 'Today' : `Last ${days} days`, NO_COUNTS),
    ...tools,
    tableHead('Days', NO_COUNTS),
    ...byDay.map(([day, sums]) => tableRow(day, NO_COUNTS, sums)),
    ...totalLines(totals),
  ].join('\n');
}

const NO_LOGS =
  'No logs were found on this device. To see where opbench looked, run: opbench doctor --offline';

const NO_COUNTS: readonly string[] = ['', ''];

const NOTHING: Pillars = { input: 0, output: 0, cache_write: null, cache_read: null };

export function sumsBy(buckets: readonly Bucket[], key: (bucket: Bucket) => string) {
  const sums = new Map<string, Pillars>();
  for (const bucket of buckets) {
    const name = key(bucket);
    const sum = sums.get(name) ?? { ...NOTHING };
    addPillars(sum, bucket);
    sums.set(name, sum);
  }
  return sums;
}

const NAME_WIDTH = 16;
const WIDTHS = [7, 11, 8, 8, 8, 8, 8] as const;

function tableHead(title: string, counts: readonly string[]): string {
  return `${title.padEnd(NAME_WIDTH)}${cells([...counts, 'input', 'output', 'c.write', 'c.read', 'total'])}`;
}

function tableRow(name: string, counts: readonly string[], sums: Pillars): string {
  const { input, output, cache_write, cache_read } = sums;
  const figures = [input, output, cache_write, cache_read, totalOf(sums)].map(shortFigure);
  return `${nameRow(name, [])}${cells([...counts, ...figures])}`;
}

function nameRow(name: string, counts: readonly string[], indent = 2): string {
  return `${' '.repeat(indent)}${name.padEnd(NAME_WIDTH - indent)}${cells(counts)}`;
}

function cells(texts: readonly string[]): string {
  return texts.map((text, column) => text.padStart(WIDTHS[column] ?? 0)).join('');
}

function totalLines(totals: Pillars): string[] {
  const pillars = [
    ['fresh input', totals.input],
    ['output', totals.output],
    ['cache write', totals.cache_write],
    ['cache read', totals.cache_read],
    ['total', totalOf(totals)],
  ] as const;
  const width = Math.max(...pillars.map(([, value]) => figure(value).length));
  const rows = pillars.map(
    ([name, value]) => `  ${name.padEnd(12)}${figure(value).padStart(width)}`,
  );
  return ['Tokens', ...rows];
}

const REASONS: Readonly<Record<Exclude<SkipReason, 'spans_days'>, string>> = {
  not_json: 'not JSON',
  too_long: 'too long',
  count: 'invalid count',
  time: 'invalid time',
  name: 'invalid name',
  id: 'invalid ID',
  too_much: 'impossibly large count',
};

/** What of a tool's logs was skipped and why. Empty if nothing was. */
export function skippedText(tool: string, skipped: Skips): string[] {
  return [...linesText(skipped), ...[spanText(tool, skipped) ?? []].flat()];
}

/** A text about totals of several days; null if there are none. */
export function spanText(tool: string, { spans_days = 0 }: Skips): string | null {
  if (spans_days === 0) return null;
  const [sessions, last, their] =
    spans_days === 1 ? ['session', 'lasts', 'its'] : ['sessions', 'last', 'their'];
  return `${shortFigure(spans_days)} ${sessions} of ${nameOfTool(tool)} ${last} longer than one UTC day; ${their} totals cannot be assigned to a day and are not counted`;
}

function linesText({ spans_days: _, ...skipped }: Skips): string[] {
  const lines = skippedLines(skipped);
  if (lines === 0) return [];
  const reasons = Object.entries(REASONS).flatMap(([reason, name]) => {
    const count = skipped[reason as keyof typeof REASONS];
    return count === undefined ? [] : [`${name} ${shortFigure(count)}`];
  });
  return [`skipped ${counted(lines, 'line')}: ${reasons.join(', ')}`];
}

/** Notes the files that a scan could not read, and reasons why it is slow. */
export function tellUnread({ sources, notes }: ScanResult, { note }: AgentOutput): void {
  for (const { unreadable } of sources) {
    for (const reason of unreadable) note(`Could not be read: ${plain(reason)}`);
  }
  for (const text of notes) note(plain(text));
}
