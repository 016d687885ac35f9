import { sumPillars, totalOf } from '#core/domain/bucket.ts';
import { DomainError } from '#core/domain/errors.ts';
import { composeRecord } from '#core/domain/record.ts';
import type { Bucket } from '#core/schema/usage.ts';
import { type Command, readArguments } from '../command.ts';
import type { Place } from '../device.ts';
import { EXIT, Failure } from '../failure.ts';
import { type ScanSource, scanLogs } from '../logs/scan.ts';
import { plainJson } from '../text/plain.ts';
import { scanText, tellUnread } from '../text/scan.ts';

export const scan: Command<Place> = {
  help: `opbench scan [--json]: what the logs on this device add up to. Sends nothing.

Example: opbench scan --json | jq .totals

--json prints {"records": [Operator Record...], "totals": {"input", "output",
"cache_write", "cache_read", "total"}, "sources": [{"tool", "roots", "files",
"events", "skipped_lines"}]}. A pillar is null if no log reports it. What could not
be read is told on stderr.
Logs are looked for under HOME, XDG_CONFIG_HOME, CLAUDE_CONFIG_DIR and CODEX_HOME.
`,
  async run({ environment }, args, output) {
    const { json } = readArguments(args, { options: ['json'] });
    const scanned = await scanLogs(environment);
    tellUnread(scanned, output);
    const totals = sumOrFail(scanned.buckets);
    if (json) {
      const records = scanned.buckets.map(composeRecord);
      const sources = scanned.sources.map(withoutUnread);
      output.result(plainJson({ records, totals: { ...totals, total: totalOf(totals) }, sources }));
    } else {
      output.result(scanText(scanned, totals));
    }
    return EXIT.ok;
  },
};

function withoutUnread({ tool, roots, files, events, skipped_lines }: ScanSource) {
  return { tool, roots, files, events, skipped_lines };
}

function sumOrFail(buckets: readonly Bucket[]) {
  try {
    return sumPillars(buckets);
  } catch (error) {
    if (error instanceof DomainError) throw new Failure(EXIT.usage, error.message);
    throw error;
  }
}
