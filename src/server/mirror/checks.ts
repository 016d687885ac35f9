/** What a mirror checks, and the results. */
import * as z from 'zod';
import { Findings } from '#core/domain/log/log-finding.ts';

/** The checks in their order, and what each one means if it passes. */
export const CHECKS = {
  board: 'The board answers.',
  checkpoint: 'The newest checkpoint is signed by the key of the log.',
  history: 'The log only grew since the last checkpoint of this mirror.',
  tree: 'Every tile and bundle leads to the root of the checkpoint.',
  payloads: 'Every payload has the digest in its entry, and the board signed its receipt.',
  withheld: 'Payloads disappeared only after the log said that something is hidden or erased.',
  entries: 'The hash chain and all signatures in the log are right.',
  standings: 'The standings that the board published follow from the log.',
} as const;
export type CheckName = keyof typeof CHECKS;
export const CHECK_NAMES = Object.keys(CHECKS) as CheckName[];

const MirrorFinding = z.object({
  /** The path of the file on the board that is wrong. */
  file: z.string(),
  message: z.string(),
});
export type MirrorFinding = z.infer<typeof MirrorFinding>;

const CheckResult = z.object({
  /** Null before the first result. */
  ok: z.boolean().nullable(),
  /** Since when the check has this result. */
  since: z.string().nullable(),
  /** When the check ran last. */
  checked_at: z.string().nullable(),
  found: z.int(),
  /** The first ones. */
  findings: z.array(MirrorFinding),
});
export type CheckResult = z.infer<typeof CheckResult>;

export const CheckResults = z.record(z.enum(CHECK_NAMES), CheckResult);
export type CheckResults = Record<CheckName, CheckResult>;

const MAX_SHOWN = 20;

export function noResults(): CheckResults {
  const none = { ok: null, since: null, checked_at: null, found: 0, findings: [] };
  return Object.fromEntries(CHECK_NAMES.map((name) => [name, none])) as unknown as CheckResults;
}

/** The result of a check that ran, after an earlier result. */
export function resultAfter(
  earlier: CheckResult,
  { kept, total }: Findings<MirrorFinding>,
  now: Date,
): CheckResult {
  const ok = total === 0;
  const checked_at = now.toISOString();
  const since = earlier.ok === ok ? earlier.since : checked_at;
  return { ok, since, checked_at, found: total, findings: kept.slice(0, MAX_SHOWN) };
}
