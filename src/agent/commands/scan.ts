import { utcDay } from '#core/domain/counting/day.ts';
import { composeRecord } from '#core/domain/metrics/record.ts';
import { command, daysFrom } from '../command.ts';
import { EXCLUDE_HELP, EXCLUDE_OPTIONS, withExclusions } from '../exclude-options.ts';
import type { Place } from '../device.ts';
import { EXIT } from '../failure.ts';
import { scanAndKeep, firstOf, lastDays, scanReport } from '../loop/scan-device.ts';
import { scanText, tellUnread } from '../text/scan.ts';

export const scan = command({
  help: `opbench scan: count the tokens in your assistants' logs on this device

Usage: opbench scan [--days N] [--exclude-tools LIST] [--exclude-folders LIST]
                    [--json]

  --days N                only the last N UTC days, today included, with one row
                          for each day
${EXCLUDE_HELP}  --json                  print JSON

The counts are saved on this device for "opbench submit". Nothing is sent.
To see which folders are searched, run: opbench doctor --offline

Example: opbench scan --days 7
`,
  json: `opbench scan --json prints one object:

  records  array of Operator Records, one for each day, provider, model and tool
  totals   {input, output, cache_write, cache_read, total}; a token type that no
           log reports is null
  days     number of days with tokens
  sources  array of {tool, roots, files, events, skipped_lines,
           skipped: {REASON: lines}, unreadable}; these cover all days
  notes    array of texts
  from     first day that --days includes, or null
  to       today, in UTC

REASON says why lines were skipped: not_json, too_long, count, time, name, id
(the value that is wrong) or too_much (an impossibly large count). Unreadable
files are also listed on stderr.

Example: opbench scan --json | jq .totals
`,
  options: { days: daysFrom(1), ...EXCLUDE_OPTIONS },
  async run({ values }, output, asked: Place) {
    const { days } = values;
    const place = withExclusions(asked, values);
    const { nowMs } = place;
    const scanned = await scanAndKeep(place, output.progress);
    tellUnread(scanned, output);
    const found = lastDays(scanned, days, nowMs());
    const report = scanReport(found);
    const records = output.isJson ? found.buckets.map(composeRecord) : [];
    const from = days === undefined ? null : firstOf(days, nowMs());
    output.result({ records, ...report, from, to: utcDay(nowMs()) }, () => {
      return scanText(found, report.totals, { days: days ?? null });
    });
    return EXIT.ok;
  },
});
