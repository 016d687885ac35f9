import { type Given as AnyGiven, oneOf } from '#core/cli/arguments.ts';
import { utcDay } from '#core/domain/counting/day.ts';
import { composeRecord } from '#core/domain/metrics/record.ts';
import { command, daysFrom as daysOption } from '../command.ts';
import { EXCLUDE_HELP, EXCLUDE_OPTIONS, withExclusions } from '../exclude-options.ts';
import type { Place } from '../device.ts';
import { EXIT, Failure } from '../failure.ts';
import { type Estimate, estimateOf } from '../loop/estimate.ts';
import { GROUPINGS, NAME_PARTS, groupedBy } from '../loop/grouped.ts';
import { type KeptScan, daysFrom, scanAndKeep, scanReport } from '../loop/scan-device.ts';
import { firstDayAt, readSince } from '../since.ts';
import { estimateLines, estimateReport } from '../text/estimate.ts';
import { counted } from '../text/figures.ts';
import { groupedText, scanText, tellUnread } from '../text/scan.ts';
import { countsCsv, groupedCsv } from '../text/scan-csv.ts';

const OPTIONS = {
  days: daysOption(1),
  since: readSince,
  by: oneOf(GROUPINGS),
  csv: 'flag',
  ...EXCLUDE_OPTIONS,
} as const;

export const scan = command({
  help: `opbench scan: count the tokens in your assistants' logs on this device

Usage: opbench scan [--days N | --since DAY] [--by GROUP] [--csv]
                    [--exclude-tools LIST] [--exclude-folders LIST] [--json]

  --days N                only the last N UTC days, today included, with a row
                          for each day
  --since DAY             only the days since then: 2026-11-01, or 30d like
                          --days 30
  --by GROUP              a row for each day, week, month, model or tool, with
                          its yield; weeks begin on Monday (ISO 8601)
  --csv                   print CSV: the rows of --by, or the daily counts
${EXCLUDE_HELP}  --json                  print JSON

It ends with the yield and class that these counts would have on a board, and
what is missing for a rank. The counts are saved on this device for "opbench
submit", and include logs that your assistants have deleted since. Nothing is
sent. To see which folders are searched, run: opbench doctor --offline

Example: opbench scan --since 30d --by week
`,
  json: `opbench scan --json prints one object:

  records   Operator Records, one for each day, tool, provider and model
  totals    {input, output, cache_write, cache_read, total}; a token type that
            no log reports is null
  days      number of days with tokens
  sources   array of {tool, roots, files, events, skipped_lines,
            skipped: {REASON: lines}, unreadable}; these cover all days
  notes     array of texts
  from      first day that --days or --since includes, or null
  to        today, in UTC
  gone      tokens in all counts whose logs no longer exist
  rows      with --by: array of {day | week | month | tool | tool, provider,
            model, and input, output, cache_write, cache_read, total, days,
            yield, interval}
  estimate  {ruleset, class_tier, windows, tools: [{tool, windows}]}: what the
            counts of all days would have on a board

Each of "windows":
  window, yield, interval, tokens, active_days
  reasons   what is missing for a rank: array of {code, required, actual, text}

"interval" is [low, high], null if there is none; "high" is null if unbounded.
REASON says why lines were skipped: not_json, too_long, count, time, name, id
(the value that is wrong), too_much (an impossibly large count) or spans_days
(a total of more than one UTC day). Unreadable files are also listed on stderr.

Example: opbench scan --json | jq .totals
`,
  options: OPTIONS,
  async run({ values, isJson }, output, asked: Place) {
    refuseTogether(values, isJson);
    const { by, csv } = values;
    const place = withExclusions(asked, values);
    const first = firstDay(values, place.nowMs());
    const scanned = await scanAndKeep(place, isJson ? undefined : output.progress);
    tellUnread(scanned, output);
    const found = daysFrom(scanned, first);
    const report = scanReport(found);
    if (csv) {
      output.print(
        by ? groupedCsv(groupedBy(found.buckets, by), NAME_PARTS[by]) : countsCsv(found.buckets),
      );
      return EXIT.ok;
    }
    const to = utcDay(place.nowMs());
    const estimate = estimateOf(scanned.buckets, to);
    if (isJson) output.result(jsonOf(found, report, { values, first, to, estimate }));
    else output.part(textOf(found, report, { values, first, estimate }));
    return EXIT.ok;
  },
});

type Values = AnyGiven<typeof OPTIONS>['values'];
type Report = ReturnType<typeof scanReport>;

/** @throws {Failure} `usage` for options that exclude each other. */
function refuseTogether({ days, since, csv }: Values, isJson: boolean): void {
  const two =
    days !== undefined && since !== undefined
      ? '--days and --since'
      : csv && isJson
        ? '--csv and --json'
        : null;
  if (two !== null) throw new Failure(EXIT.usage, `Give ${two.replace('and', 'or')}, not both`);
}

function firstDay({ days, since }: Values, nowMs: number): string | null {
  if (days !== undefined) return firstDayAt({ days }, nowMs);
  return since === undefined ? null : firstDayAt(since, nowMs);
}

interface Shown {
  values: Values;
  first: string | null;
  estimate: Estimate;
}

function jsonOf(
  { buckets, gone }: KeptScan,
  report: Report,
  { values: { by }, first, to, estimate }: Shown & { to: string },
) {
  const rows = by && groupedBy(buckets, by);
  return {
    records: buckets.map(composeRecord),
    ...report,
    from: first,
    to,
    gone,
    ...(rows && {
      rows: rows.map(({ name, totals, days, yield: value, interval }) => {
        return { ...name, ...totals, days, yield: value, interval };
      }),
    }),
    estimate: estimateReport(estimate),
  };
}

function textOf(found: KeptScan, { totals }: Report, { values, first, estimate }: Shown): string {
  const { days, since, by } = values;
  const ofDays = since && 'days' in since ? since.days : days;
  const period = ofDays !== undefined ? { days: ofDays } : first === null ? null : { since: first };
  const table = by
    ? groupedText(groupedBy(found.buckets, by), by, totals)
    : scanText(found, totals, period);
  const gone =
    first === null && found.gone > 0
      ? [`  including ${counted(found.gone, 'token')} whose logs no longer exist`]
      : [];
  return [table, ...gone, ...estimateLines(estimate)].join('\n');
}
