import { existsSync } from 'node:fs';
import { normalize } from 'node:path';
import { uncountedTools } from '#core/readers/uncounted.ts';
import { type Skips, skippedLines } from '#core/readers/shared/reader.ts';
import { EXIT } from '../failure.ts';
import { type FindingReport, problem, warning } from '../finding.ts';
import type { ScanResult, ScanSource } from '../logs/scan.ts';
import type { LogReport, LedgerReport, UncountedReport } from '../device-reports.ts';
import { surroundingsIn } from '../logs/files.ts';
import type { Environment } from '../settings.ts';
import { impossibleDays, impossibleText } from '../loop/collect.ts';
import { counted } from '../text/figures.ts';
import { spanText } from '../text/scan.ts';
import { totalOf, bucketKey } from '#core/domain/counting/bucket.ts';
import type { Bucket } from '#core/schema/usage.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { countedOnly } from '../logs/excluded.ts';
import { HOME_BOARD } from '../version.ts';

export function logReports({ sources }: ScanResult): LogReport[] {
  return sources.map(({ tool, roots, files, events, skipped, unreadable }) => ({
    tool,
    roots: roots.map((path) => ({ path, exists: existsSync(path) })),
    files,
    events,
    skipped_lines: skippedLines(skipped),
    skipped,
    unreadable,
  }));
}

/** Assistants on this device that cannot be counted. */
export function uncountedReports(env: Environment): UncountedReport[] {
  const at = surroundingsIn(env);
  return uncountedTools.flatMap(({ name, places, reason }) => {
    const found = places(at).map((path) => normalize(path));
    const path = found.find((folder) => existsSync(folder));
    return path === undefined ? [] : [{ name, path, reason }];
  });
}

/** @param today The current day by this device's clock. */
export function logFindings(
  { sources, notes, buckets }: ScanResult,
  today: string,
): FindingReport[] {
  const found = [
    ...sources.flatMap((source) => [...unreadFindings(source), ...skipFindings(source)]),
    ...impossibleFindings(impossibleText(impossibleDays(buckets, today))),
  ];
  const told = notes.map((note) => warning(note, 'Counts are still right, but scans are slower.'));
  if (sources.some(({ files }) => files > 0)) return [...found, ...told];
  const more = HOME_BOARD === null ? '' : ` See ${HOME_BOARD}/docs/join/troubleshooting`;
  const advice = `Use one of these tools first, or set the variable for its log folder.${more}`;
  return [warning('No logs were found on this device', advice), ...found, ...told];
}

function unreadFindings({ tool, unreadable }: ScanSource): FindingReport[] {
  const [first] = unreadable;
  if (first === undefined) return [];
  const more = unreadable.length > 1 ? ` and ${unreadable.length - 1} more` : '';
  const text = `Some usage of ${tool} is not counted: ${first}${more}`;
  return [problem(EXIT.usage, text, adviceFor(first))];
}

function adviceFor(reason: string): string {
  if (/needs Node/.test(reason))
    return `Run opbench with that version of Node.js. This is ${process.versions.node}.`;
  if (/\b(EACCES|EPERM)\b/.test(reason)) return 'Give your user permission to read it.';
  return 'If a tool is still writing the file, try again later. If the file is damaged, move it to another folder.';
}

function skipFindings({ tool, skipped }: ScanSource): FindingReport[] {
  const { too_much = 0, spans_days = 0 } = skipped;
  const lines = skippedLines(skipped) - too_much - spans_days;
  const found = [...excessFindings(tool, too_much), ...spanFindings(tool, skipped)];
  if (lines === 0) return found;
  const advice =
    'A few are normal, for example after a tool crashed. If there are many, contact the admin of the board.';
  return [...found, warning(`${counted(lines, 'line')} of ${tool} could not be counted`, advice)];
}

function spanFindings(tool: string, skipped: Skips): FindingReport[] {
  const text = spanText(tool, skipped);
  if (text === null) return [];
  const advice =
    'The logs of this tool have only totals. Start a new session each day to count all of them.';
  return [warning(text, advice)];
}

function impossibleFindings(text: string | null): FindingReport[] {
  if (text === null) return [];
  const advice = 'Check the clock of this device, and the dates in the logs of that tool.';
  return [warning(text, advice)];
}

function excessFindings(tool: string, responses: number): FindingReport[] {
  if (responses === 0) return [];
  const text = `${counted(responses, 'response')} of ${tool} left out because their counts are impossibly large`;
  const advice = 'All others are counted. Look for the wrong count in the logs of that tool.';
  return [problem(EXIT.usage, text, advice)];
}

const ASIDE_ADVICE =
  'Run: opbench doctor --repair. When there is nothing left to repair, delete the files that end in .damaged.';
const REPAIR = 'Run: opbench doctor --repair. It never lowers a count.';

/** @param scanned The scan that the ledger was updated with. */
export function ledgerReport(
  ledger: Ledger,
  scanned: ScanResult,
  environment: Environment,
): LedgerReport {
  const { folder, responses, carried, damaged, set_aside } = ledger.inspect();
  const buckets = ledger.buckets();
  const tools = countedOnly(
    environment,
    Array.from(responses.keys(), (tool) => ({ tool })),
  );
  const wanted = new Map(tools.map(({ tool }) => [tool, responses.get(tool) ?? 0]));
  return {
    path: folder,
    state: stateOf(ledger, damaged),
    responses: [...responses.values()].reduce((sum, count) => sum + count, 0),
    daily_counts: buckets.length,
    only_here: {
      responses: goneResponses(wanted, scanned),
      tokens: goneTokens(countedOnly(environment, buckets), scanned),
    },
    carried,
    set_aside,
  };
}

function stateOf(ledger: Ledger, damaged: readonly string[]): LedgerReport['state'] {
  if (ledger.blocked) return 'blocked';
  if (damaged.length > 0) return 'damaged';
  return ledger.isSaved ? 'fine' : 'unsaved';
}

function goneResponses(kept: ReadonlyMap<string, number>, { sources }: ScanResult): number {
  const logged = new Map(sources.map(({ tool, events }) => [tool, events]));
  const gone = Array.from(kept, ([tool, count]) => Math.max(0, count - (logged.get(tool) ?? 0)));
  return gone.reduce((sum, count) => sum + count, 0);
}

function goneTokens(kept: readonly Bucket[], { buckets }: ScanResult): number {
  const logged = new Map(buckets.map((bucket) => [bucketKey(bucket), totalOf(bucket)]));
  return kept.reduce((sum, bucket) => {
    return sum + Math.max(0, totalOf(bucket) - (logged.get(bucketKey(bucket)) ?? 0));
  }, 0);
}

/** @param notes The notes of the ledger's update. */
export function ledgerFindings(
  { blocked }: Ledger,
  { state, path, set_aside }: LedgerReport,
  notes: readonly string[],
): FindingReport[] {
  if (blocked) return [problem(blocked.exitCode, blocked.message, blocked.hint ?? '')];
  const told = notes.map((note) => {
    return state === 'unsaved' ? problem(EXIT.usage, note, '') : warning(note, '');
  });
  const asideText = `A damaged file of the ledger was set aside: ${set_aside[0]}`;
  const more = set_aside.length > 1 ? ` and ${set_aside.length - 1} more` : '';
  return [
    ...told,
    ...(state === 'damaged'
      ? [problem(EXIT.usage, `The ledger in ${path} is damaged`, REPAIR)]
      : []),
    ...(set_aside.length > 0 ? [warning(`${asideText}${more}`, ASIDE_ADVICE)] : []),
  ];
}
