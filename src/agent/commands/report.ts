import { type Stats, lstatSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { plain } from '#core/domain/text/terminal-text.ts';
import { readBoardUrl } from '../board/address.ts';
import { type AgentOutput, command } from '../command.ts';
import { EXIT, type ExitCode, Failure } from '../failure.ts';
import type { Estimate } from '../loop/estimate.ts';
import { scanAndKeep } from '../loop/scan-device.ts';
import { countProjects } from '../logs/projects.ts';
import { type BoardRank, askBoardRank, conservativeOf, rankOf } from '../report/board-rank.ts';
import { MARK, reportPage } from '../report/page.ts';
import { type ReportData, reportData } from '../report/report-data.ts';
import { firstDayAt, readSince } from '../since.ts';
import { readText, writePrivate } from '../state/atomic-file.ts';
import { failureLines } from '../text/failure.ts';
import { figure } from '../text/figures.ts';
import { tellUnread } from '../text/scan.ts';

const FILE = 'opbench-report.html';

export const report = command({
  help: `opbench report: write a report about your tokens, as one HTML file

Usage: opbench report [--out FILE] [--since DAY] [--board URL] [--projects]
                      [--force] [--json]

  --out FILE   default: ${FILE} in this folder
  --since DAY  only the days since then: 2026-11-01, or 30d for the last 30
  --board URL  estimate your rank on this board, from its public list
  --projects   show the tokens of each project
  --force      replace a file that is not a report
  --json       print JSON

The report shows your metrics over time with intervals, a calendar, tools,
models, where the tokens went, your best and worst days, your class, and what
is missing for a rank. It needs no board and no network, and only you can read
the file. Project names are in it only with --projects, and are never sent.
--board sends nothing about you.

Example: opbench report --since 90d
`,
  json: `opbench report --json prints one object:

  file      the path of the report
  from, to  first and last day with tokens, or null
  tokens    in the report
  class_tier
  rank      null without --board, or {board, rank, total, is_at_least, as_of}:
            "rank" is null if the board could not be asked or the counts are not
            enough; "is_at_least" if the rank may be lower, because only the
            first operators of a board are compared
  projects  with --projects: array of {name, tokens}; else null
`,
  options: {
    out: 'text',
    since: readSince,
    board: readBoardUrl,
    projects: 'flag',
    force: 'flag',
  },
  async run({ values }, output, device) {
    const { since, board, force } = values;
    const { environment, nowMs } = device;
    const file = resolve(values.out ?? FILE);
    refuseForeign(file, force);
    const now = nowMs();
    const first = since === undefined ? null : firstDayAt(since, now);
    const scanned = await scanAndKeep(device, output.isJson ? undefined : output.progress);
    tellUnread(scanned, output);
    const rank = board === undefined ? null : await askBoardRank(device, board);
    const projects = values.projects ? await countProjects(environment, scanned.logs, first) : null;
    const data = reportData({ scanned, since: first, nowMs: now, rank, projects });
    writePrivate(file, reportPage(data));
    output.result(jsonOf(file, data), () => textOf(file, data));
    return tellFailure(rank, output);
  },
});

/** @throws {Failure} `usage` if the path is taken by something that is not a report. */
function refuseForeign(file: string, force: boolean): void {
  const stats = statsOf(file);
  if (stats === null) return;
  if (!stats.isFile()) {
    const hint = 'Choose another one: --out FILE';
    throw new Failure(EXIT.usage, `${file} is not a regular file`, hint);
  }
  if (force || readText(file)?.slice(0, 1024).includes(MARK)) return;
  const hint = 'Choose another file with --out FILE, or add --force to replace it.';
  throw new Failure(EXIT.usage, `${file} exists and is not a report`, hint);
}

/** Null if nothing is there, or if it cannot be seen. */
function statsOf(file: string): Stats | null {
  try {
    return lstatSync(file);
  } catch {
    return null;
  }
}

function textOf(file: string, { days, report: { totals } }: ReportData): string {
  const place = `Report: ${pathToFileURL(file).href}`;
  if (days === null)
    return `${place}\nNo tokens were found. Searched folders: opbench doctor --offline`;
  return `${place}\n${figure(totals.total)} tokens from ${days.first} to ${days.last}`;
}

function tellFailure(rank: BoardRank | null, { note }: AgentOutput): ExitCode {
  if (!rank?.failure) return EXIT.ok;
  failureLines(rank.failure).forEach(note);
  note(`The report has no estimate of a rank on ${plain(rank.board)}.`);
  return EXIT.partial;
}

function jsonOf(file: string, { days, report: { totals }, estimate, rank, projects }: ReportData) {
  return {
    file,
    from: days?.first ?? null,
    to: days?.last ?? null,
    tokens: totals.total,
    class_tier: estimate.class_tier,
    rank: rank && rankReport(rank, estimate),
    projects:
      projects?.projects.map(({ name, counts }) => {
        const { input, output, cache_write, cache_read } = counts;
        return { name, tokens: input + output + (cache_write ?? 0) + (cache_read ?? 0) };
      }) ?? null,
  };
}

function rankReport({ board, answer }: BoardRank, estimate: Estimate) {
  const low = conservativeOf(estimate);
  const as_of = answer?.as_of ?? null;
  if (answer === null || low === null)
    return { board, rank: null, total: null, is_at_least: false, as_of };
  const { rank, total, isAtLeast } = rankOf(answer, low);
  return { board, rank, total, is_at_least: isAtLeast, as_of };
}
