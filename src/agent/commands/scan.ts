import { dayName, dayNumber, utcDay } from '#core/domain/day.ts';
import { composeRecord } from '#core/domain/record.ts';
import { plainJson } from '#core/domain/terminal-text.ts';
import { type Command, readArguments } from '../command.ts';
import { readDays } from '../numbers.ts';
import type { Place } from '../device.ts';
import { EXIT } from '../failure.ts';
import { scanLogs } from '../logs/scan.ts';
import { scanReport } from '../loop/scan.ts';
import { scanText, tellUnread } from '../text/scan.ts';

export const scan: Command<Place> = {
  help: `opbench scan [--days N] [--json]: what the logs on this device add up to, by
tool; with --days, of the last N UTC days only, today included, and by day.
Sends nothing.

Example: opbench scan --json | jq .totals

--json prints {"records": [Operator Record...], "totals": {"input", "output",
"cache_write", "cache_read", "total"}, "days", "sources": [{"tool", "roots",
"files", "events", "skipped_lines", "skipped": {REASON: lines}, "unreadable"}],
"notes"}. A pillar is null if no log reports it; "days" counts those with any
token; sources are of all days, whatever --days says. REASON is not_json,
too_long, count, time, name or id: what is wrong with the lines. What could not
be read is told on stderr, too. Where logs are looked for: opbench doctor.
`,
  async run({ environment, nowMs }, args, output) {
    const { days, json } = readArguments(args, { command: 'scan', options: ['days', 'json'] });
    const first = days === undefined ? '' : earliestDay(readDays(days, 1), nowMs());
    const scanned = await scanLogs(environment, { progress: output.progress });
    tellUnread(scanned, output);
    const found = { ...scanned, buckets: scanned.buckets.filter(({ day }) => day >= first) };
    const report = scanReport(found);
    if (json) {
      const records = found.buckets.map(composeRecord);
      output.result(plainJson({ records, ...report }));
    } else {
      output.result(scanText(found, report.totals, { byDay: days !== undefined }));
    }
    return EXIT.ok;
  },
};

function earliestDay(days: number, nowMs: number): string {
  return dayName(dayNumber(utcDay(nowMs)) - days + 1);
}
