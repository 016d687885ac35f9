/** What doctor finds out about the ledger. */
import { totalOf, bucketKey } from '#core/domain/counting/bucket.ts';
import type { Bucket } from '#core/schema/usage.ts';
import type { LedgerReport } from '../device-reports.ts';
import { EXIT } from '../failure.ts';
import { type Finding, problem, warning } from '../finding.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { ScanResult } from '../logs/scan.ts';

const ASIDE_ADVICE =
  'Run: opbench doctor --repair. Once it has nothing to repair, delete the files that end in .damaged.';
const REPAIR = 'Run: opbench doctor --repair (it never lowers a count).';

/** @param scanned What the logs hold, which the ledger has taken. */
export function ledgerReport(ledger: Ledger, scanned: ScanResult): LedgerReport {
  const { folder, responses, carried, damaged, set_aside } = ledger.inspect();
  const buckets = ledger.buckets();
  return {
    path: folder,
    state: stateOf(ledger, damaged),
    responses: [...responses.values()].reduce((sum, count) => sum + count, 0),
    daily_counts: buckets.length,
    only_here: {
      responses: goneResponses(responses, scanned),
      tokens: goneTokens(buckets, scanned),
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

/** @param notes What the ledger said when it took what the logs hold. */
export function ledgerFindings(
  { blocked }: Ledger,
  { state, path, set_aside }: LedgerReport,
  notes: readonly string[],
): Finding[] {
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
