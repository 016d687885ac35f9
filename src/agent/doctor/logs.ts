/** What doctor finds out about logs. */
import { existsSync } from 'node:fs';
import { skippedLines } from '#core/readers/skips.ts';
import { EXIT } from '../failure.ts';
import { type Finding, problem, warning } from '../finding.ts';
import type { ScanResult, ScanSource } from '../logs/scan.ts';
import type { LogReport } from '../device-reports.ts';
import { impossibleDays, impossibleText } from '../loop/impossible-days.ts';
import { counted } from '../text/counted.ts';

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

/** @param today The day by the clock of this device. */
export function logFindings({ sources, notes, buckets }: ScanResult, today: string): Finding[] {
  const found = [
    ...sources.flatMap((source) => [...unreadFindings(source), ...skipFindings(source)]),
    ...impossibleFindings(impossibleText(impossibleDays(buckets, today))),
  ];
  const told = notes.map((note) => warning(note, 'Counts are right without it; scans are slower.'));
  if (sources.some(({ files }) => files > 0)) return [...found, ...told];
  const advice = 'Work with one of the tools first, or set the variable that says where it logs.';
  return [warning('No log was found on this device', advice), ...found, ...told];
}

function unreadFindings({ tool, unreadable }: ScanSource): Finding[] {
  const [first] = unreadable;
  if (first === undefined) return [];
  const more = unreadable.length > 1 ? ` and ${unreadable.length - 1} more` : '';
  const text = `What ${tool} used is not counted whole: ${first}${more}`;
  return [problem(EXIT.usage, text, adviceFor(first))];
}

function adviceFor(reason: string): string {
  if (/needs Node/.test(reason))
    return `Run opbench with that Node.js; this is ${process.versions.node}.`;
  if (/\b(EACCES|EPERM)\b/.test(reason)) return 'Let your own user read it.';
  return 'Look at the file: a tool that is writing it is done soon, a broken one can be moved away.';
}

function skipFindings({ tool, skipped }: ScanSource): Finding[] {
  const lines = skippedLines(skipped) - (skipped.too_much ?? 0);
  const found = excessFindings(tool, skipped.too_much ?? 0);
  if (lines === 0) return found;
  const advice = 'A few are usual: a tool was stopped as it wrote. If it is many, tell the keeper.';
  return [...found, warning(`${counted(lines, 'line')} of ${tool} could not be counted`, advice)];
}

function impossibleFindings(text: string | null): Finding[] {
  if (text === null) return [];
  const advice = 'Check the clock of this device, and the dates in the logs of that tool.';
  return [warning(text, advice)];
}

function excessFindings(tool: string, responses: number): Finding[] {
  if (responses === 0) return [];
  const text = `${counted(responses, 'response')} of ${tool} left out: too large to be true`;
  const advice = 'All others are counted. Look in its logs for the count that is wrong.';
  return [problem(EXIT.usage, text, advice)];
}
