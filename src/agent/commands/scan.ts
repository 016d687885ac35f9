import { utcDay } from '#core/domain/counting/day.ts';
import { composeRecord } from '#core/domain/metrics/record.ts';
import { command, daysFrom } from '../command.ts';
import type { Place } from '../device.ts';
import { EXIT } from '../failure.ts';
import { scanAndKeep, firstOf, lastDays, scanReport } from '../loop/scan-device.ts';
import { scanText, tellUnread } from '../text/scan.ts';

export const scan = command({
  help: `opbench scan [--days N] [--json]: what the logs on this device add up to, by
tool; with --days, of the last N UTC days only, today included, and by day.
Sends nothing, and saves the counts on this device for submit.

Example: opbench scan --json | jq .totals

--json prints {"records": [Operator Record...], "totals": {"input", "output",
"cache_write", "cache_read", "total"}, "days", "sources": [{"tool", "roots",
"files", "events", "skipped_lines", "skipped": {REASON: lines}, "unreadable"}],
"notes", "from", "to"}. A pillar is null if no log reports it; "days" counts
those with any token; "from" is the first day that --days includes, or null.
Files, events and skipped lines in "sources" are of all days. REASON is
not_json, too_long, count, time, name or id: what is wrong with the lines. What
could not be read is listed on stderr, too. Where logs are looked for: opbench
doctor.
`,
  options: { days: daysFrom(1) },
  async run({ values: { days } }, output, place: Place) {
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
