/** Lets one device of an account take the place of another: what that ever sent counts as sent by it. */
import type { ReplaceableDevice } from '#db/device-replacements.ts';
import { type CountedBucket, settleGroup } from '#core/domain/counting/counting.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { readLoggedSnapshot } from '#core/domain/log/logged-statement.ts';
import { MergedDevices, type SharedGroup } from '#core/domain/counting/merged-devices.ts';
import type { Board } from '../context.ts';
import { changeWithinLimits } from '../operator/operator-limits.ts';

export interface Replacement {
  operator_id: number;
  old: number;
  own: number | undefined;
}

/** What two devices state as one, to be stored if nothing has changed since. */
export interface PreparedReplacement extends Replacement {
  log_index: number;
  /** Whether the new device goes on in the rows of the old one, because those are more. */
  isKept: boolean;
  before: CountedBucket[];
  after: CountedBucket[];
}

/** The device that somebody wants to replace; null if the device that enrolls has replaced it before. */
export function replaceableDevice(
  { store }: Board,
  operator_id: number,
  { replaces, own }: { replaces: string; own: number | undefined },
): ReplaceableDevice | null {
  const device = store.deviceReplacements.find(operator_id, replaces);
  if (device?.trust !== 'signed') throw refused(`The account has no device ${replaces}`);
  const { id, label, replaced_by, is_compromised } = device;
  if (replaced_by !== null && replaced_by === own) return null;
  if (replaced_by !== null) {
    const by = store.devices.byId(replaced_by)?.label ?? 'another device';
    throw refused(`${label} was replaced by ${by} already`);
  }
  if (is_compromised === 1)
    throw refused(`${label} is compromised, so nothing that it sent counts`);
  if (id === own) {
    throw refused(`${label} is the device that enrolls, and keeps what it sent in any case`);
  }
  return device;
}

function refused(detail: string): DomainError {
  return new DomainError('device_not_replaceable', detail);
}

/** Counts what two devices state as one, and yields after each submission and group. */
export function* prepareReplacement(
  board: Board,
  replacement: Replacement,
): Generator<void, PreparedReplacement> {
  const { store } = board;
  const { operator_id, old, own } = replacement;
  const log_index = store.operators.byId(operator_id)?.log_index ?? 0;
  if (own === undefined) return { ...replacement, log_index, isKept: true, before: [], after: [] };
  const { buckets } = store.deviceReplacements;
  const isKept = buckets(old) > buckets(own);
  const shared = yield* sharedGroups(board, { old, own, into: isKept ? old : own });
  const before: CountedBucket[] = [];
  const after: CountedBucket[] = [];
  for (const { day, tool, buckets: merged } of shared) {
    const standing = store.buckets.group({ operator_id, day, tool });
    const others = standing.filter(({ device_id }) => device_id !== old && device_id !== own);
    before.push(...standing);
    after.push(...settleGroup([...others, ...merged], { ...NOTHING, device_id: old }));
    yield;
  }
  return { ...replacement, log_index, isKept, before, after };
}

/** A submission that changes nothing: what stands is judged anew. */
const NOTHING = { log_index: 0, trust: 'signed', correction: null, buckets: [] } as const;

function* sharedGroups(
  { store }: Board,
  { old, own, into }: { old: number; own: number; into: number },
): Generator<void, SharedGroup[]> {
  const accepted = store.deviceReplacements.accepted(old, own);
  if (new Set(accepted.map(({ device_id }) => device_id)).size < 2) return [];
  const merged = new MergedDevices(into);
  for (const { log_index, device_id } of accepted) {
    const { correction, buckets } = readLoggedSnapshot(
      store.log.at(log_index)?.payload ?? new Uint8Array(),
    );
    merged.apply({ device_id, log_index, trust: 'signed', correction, buckets });
    yield;
  }
  return merged.result();
}

/** Stores a replacement. Call it inside the transaction that enters it in the log. */
export function storeReplacement(
  board: Board,
  { operator_id, old, isKept, before, after }: PreparedReplacement,
  { own, at }: { own: number; at: string },
): number {
  const { deviceReplacements, buckets } = board.store;
  const [from, to] = isKept ? [own, old] : [old, own];
  changeWithinLimits(board, operator_id, () => {
    buckets.replaceGroups(operator_id, before, after);
  });
  if (isKept) deviceReplacements.exchange(old, own);
  deviceReplacements.replace(from, to, at);
  return to;
}
