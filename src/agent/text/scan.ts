import { addPillars, totalOf } from '#core/domain/counting/bucket.ts';
import { plain } from '#core/domain/text/terminal-text.ts';
import { type SkipReason, type Skips, skippedLines } from '#core/readers/reader.ts';
import type { Bucket, Pillars } from '#core/schema/usage.ts';
import type { AgentOutput } from '../command.ts';
import type { ScanResult } from '../logs/scan.ts';
import { counted, figure, shortFigure } from './figures.ts';

/**
 * The totals of a scan and where they come from. With `days` set, a row a day and the tokens of those days only;
 * files and responses are then in a table of their own, because logs are counted as a whole. The tables are
 * made here: what makes tables of foreign texts takes longer to load than many a scan.
 */
export function scanText(
  { sources, buckets }: ScanResult,
  totals: Pillars,
  { days }: { days: number | null },
): string {
  const ofTools = sumsBy(buckets, ({ tool }) => tool);
  const logs = sources.flatMap(({ tool, files, events, skipped }) => {
    const counts = [shortFigure(files), shortFigure(events)];
    const sums = ofTools.get(tool) ?? NOTHING;
    return [
      days === null ? tableRow(tool, counts, sums) : nameRow(tool, counts),
      ...skippedText(skipped).map((line) => `    ${line}`),
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
    ['input', totals.input],
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

const REASONS: Readonly<Record<SkipReason, string>> = {
  not_json: 'no JSON',
  too_long: 'too long',
  count: 'bad count',
  time: 'bad time',
  name: 'bad name',
  id: 'bad id',
  too_much: 'too large',
};

/** How many lines were left out and why, as one line; none if none were. */
export function skippedText(skipped: Skips): string[] {
  const lines = skippedLines(skipped);
  if (lines === 0) return [];
  const reasons = Object.entries(REASONS).flatMap(([reason, name]) => {
    const count = skipped[reason as SkipReason];
    return count === undefined ? [] : [`${name} ${shortFigure(count)}`];
  });
  return [`skipped ${counted(lines, 'line')}: ${reasons.join(', ')}`];
}

/** Tells what a scan could not read, and what makes it slow. */
export function tellUnread({ sources, notes }: ScanResult, { note }: AgentOutput): void {
  for (const { unreadable } of sources) {
    for (const reason of unreadable) note(`not read: ${plain(reason)}`);
  }
  for (const text of notes) note(plain(text));
}
