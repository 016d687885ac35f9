import { utcDay } from '#core/domain/counting/day.ts';
import { composeRecord } from '#core/domain/metrics/record.ts';
import { plainJson } from '#core/domain/text/terminal-text.ts';
import { type Command, readArguments } from '../command.ts';
import { readDays } from '../numbers.ts';
import type { Place } from '../device.ts';
import { EXIT } from '../failure.ts';
import { scanAndKeep } from '../loop/scan-device.ts';
import { firstOf, lastDays, scanReport } from '../loop/scan.ts';
import { scanText, tellUnread } from '../text/scan.ts';

export const scan: Command<Place> = {
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
  async run(place, args, output) {
    const { nowMs } = place;
    const { days, json } = readArguments(args, { command: 'scan', options: ['days', 'json'] });
    const asked = days === undefined ? undefined : readDays(days, 1);
    const scanned = await scanAndKeep(place, output.progress);
    tellUnread(scanned, output);
    const found = lastDays(scanned, asked, nowMs());
    const report = scanReport(found);
    if (json) {
      const records = found.buckets.map(composeRecord);
      const to = utcDay(nowMs());
      const from = asked === undefined ? null : firstOf(asked, nowMs());
      output.result(plainJson({ records, ...report, from, to }));
    } else {
      output.result(scanText(found, report.totals, { days: asked ?? null }));
    }
    return EXIT.ok;
  },
};
