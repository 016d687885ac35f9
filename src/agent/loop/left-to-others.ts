/** Decides which counts an enrolled device does not state because another device or account has stated them. */
import { bucketKey, totalOf } from '#core/domain/counting/bucket.ts';
import { dayAndTool } from '#core/domain/counting/counting.ts';
import { plain } from '#core/domain/text/terminal-text.ts';
import type { Bucket } from '#core/schema/usage.ts';
import type { LocalDevice } from '../device.ts';
import {
  type Baseline,
  type Groups,
  baselineNow,
  baselineOf,
  bucketsIn,
  groupsOf,
  heldIn,
  keepBaseline,
  mergeGroups,
  withBaseline,
} from '../state/baseline.ts';
import type { Decision } from '../state/board-files.ts';
import type { Identity } from '../state/keystore.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Stated } from '../ledger/types.ts';
import { counted, momentText } from '../text/figures.ts';
import { copiedBaseline } from './note-copy.ts';
import { aheadOf, statedOf } from './recover.ts';
import { outboxOf, pendingStatements } from './submit.ts';

/** The account of this installation until now. */
export interface Account {
  codename: string;
  stated: readonly Stated[];
  /** The counts that this installation did not state there. */
  baseline: Baseline | null;
}

export interface Enrolled {
  device: LocalDevice;
  folder: string;
  ledger: Ledger;
  isCopy: boolean;
  decision: Decision;
  /** Null if it is the same account, or if nothing was sent to it. */
  account: Account | null;
  device_id: string;
}

/**
 * The counts that a board has from this installation. Must be requested before the account changes.
 *
 * @throws {Failure} if the request fails.
 */
export async function statedHere(device: LocalDevice, identity: Identity): Promise<Stated[]> {
  const counts = await device.client.counts(identity, { device: identity.device_id });
  const aheadMs = aheadOf(device, identity.board);
  return counts?.map((count) => statedOf(count, aheadMs)) ?? sentFrom(device, identity);
}

/** The counts sent to a board that does not list them, including unanswered ones, which it may have. */
function sentFrom(device: LocalDevice, identity: Identity): Stated[] {
  const outbox = outboxOf(device, identity);
  pendingStatements(outbox, identity.board).forEach((one) => outbox.assumeSent(one));
  const untilMs = device.nowMs();
  return outbox.sent().map((bucket) => ({ ...bucket, untilMs }));
}

/**
 * Saves which counts a new device leaves to others.
 *
 * @returns Notes for the operator.
 */
export function leaveToOthers(enrolled: Enrolled): string[] {
  const { decision, isCopy } = enrolled;
  if (decision.kind === 'replace') return [];
  return isCopy ? leaveCopied(enrolled, decision) : leaveStated(enrolled, decision);
}

/** Days in a copied state folder belong to the original, whether they were sent or not. */
function leaveCopied(
  { device, folder, ledger, account, device_id }: Enrolled,
  decision: Decision,
): string[] {
  const owner = decision.kind === 'new' ? decision.stay_with : null;
  const stay_with = owner ?? (account && accountText(account));
  if (stay_with === null) return [];
  const noted = copiedBaseline(device);
  const then = noted ?? baselineNow(ledger, now(device));
  keepBaseline(folder, { ...then, device_id, stay_with, is_account: owner === null });
  const since = momentText(`${then.at.slice(0, 16)}Z`);
  const rest = 'Only what is new since then counts for this device.';
  return noted
    ? [`Everything logged until ${since} stays with ${stay_with}. ${rest}`]
    : [`Everything logged here until ${since} does not count for this device. ${rest}`];
}

/** Everything else counts here. If others state it as well, fingerprints show that. */
function leaveStated(enrolled: Enrolled, decision: Decision): string[] {
  const { device, folder, ledger, account, device_id } = enrolled;
  const { stay_with = null, groups = {} } = decision.kind === 'new' ? decision : {};
  const held = heldIn(ledger, groups);
  const then = account ? withAccount(account, groups, held) : { groups, buckets: held };
  if (then.buckets.length > 0) {
    const of = {
      device_id,
      stay_with: ownersText(stay_with, account),
      is_account: account !== null,
    };
    keepBaseline(folder, { ...baselineOf(ledger, now(device), then), ...of });
  }
  const notes = stay_with === null ? [] : [deviceText(stay_with, groups)];
  return account ? [...notes, `The counts of ${accountText(account)} stay there. ${REST}`] : notes;
}

function ownersText(device: string | null, account: Account | null): string {
  return [device ?? [], account ? accountText(account) : []].flat().join(' and ');
}

/**
 * Fingerprints of two accounts are never compared, so the full amount that the other account has is left out for
 * each day.
 */
function withAccount({ stated, baseline }: Account, groups: Groups, held: readonly Bucket[]) {
  const own = stated.map((one) => [dayAndTool(one), one.untilMs] as const);
  const earlier = baseline === null ? [] : Object.entries(groupsOf(baseline));
  const all = mergeGroups([...own, ...earlier, ...Object.entries(groups)]);
  const parts = [
    ...held,
    ...(baseline === null ? [] : bucketsIn(baseline)),
    ...withBaseline(stated, baseline),
  ];
  const buckets = new Map<string, Bucket>();
  for (const part of parts) {
    const key = bucketKey(part);
    const known = buckets.get(key);
    if (known === undefined || totalOf(part) >= totalOf(known)) buckets.set(key, part);
  }
  return { groups: all, buckets: [...buckets.values()] };
}

const REST = 'Everything else in the logs here counts for this device.';

function deviceText(owner: string, groups: Groups): string {
  const days = new Set(Object.keys(groups).map((group) => group.split('\n', 1)[0])).size;
  return days > 0
    ? `${counted(days, 'day')} that ${owner} has sent ${days === 1 ? 'stays' : 'stay'} there. ${REST}`
    : `No day here matches what ${owner} has sent, so everything in the logs here counts for this device.`;
}

function accountText({ codename }: Account): string {
  return `the account ${plain(codename)}`;
}

function now({ nowMs }: LocalDevice): string {
  return new Date(nowMs()).toISOString();
}
