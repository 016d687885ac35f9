/** Replaces one device of an account by another, which then counts as the sender of its submissions. */
import type { ReplaceableDevice } from '#db/device-replacements.ts';
import { type CountedBucket, settleGroup } from '#core/domain/counting/counting.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { readLoggedSnapshot } from '#core/domain/log/logged-statement.ts';
import { MergedDevices, type SharedGroup } from '#core/domain/counting/merged-devices.ts';
import type { Board } from '../context.ts';
import { replaceCounts } from '../counting/replace-counts.ts';
import { changeWithinLimits } from '../operator/operator-limits.ts';

export interface Replacement {
  operator_id: number;
  old: number;
  own: number | undefined;
}

/** The merged counts of two devices, to be stored if nothing has changed since. */
export interface PreparedReplacement extends Replacement {
  log_index: number;
  /** Whether the new device takes over the rows of the old one, because there are more of them. */
  isKept: boolean;
  before: CountedBucket[];
  after: CountedBucket[];
}

/** The device to replace; null if the enrolling device has already replaced it. */
export function replaceableDevice(
  { store }: Board,
  operator_id: number,
  { replaces, own }: { replaces: string; own: number | undefined },
): ReplaceableDevice | null {
  const device = store.deviceReplacements.find(operator_id, replaces);
  if (device?.trust !== 'signed') throw refused(`Your account has no device ${replaces}`);
  const { id, label, replaced_by, is_compromised } = device;
  if (replaced_by !== null && replaced_by === own) return null;
  if (replaced_by !== null) {
    const by = store.devices.byId(replaced_by)?.label ?? 'another device';
    throw refused(`${label} is already replaced by ${by}`);
  }
  if (is_compromised === 1)
    throw refused(`${label} is marked as compromised, so its submissions do not count`);
  if (id === own) {
    throw refused(
      `${label} is the device that you are enrolling. It keeps its submissions without a replacement`,
    );
  }
  return device;
}

function refused(detail: string): DomainError {
  return new DomainError('device_not_replaceable', detail);
}

/** Merges the counts of two devices. Yields after each submission and group. */
export function* prepareReplacement(
  board: Board,
  replacement: Replacement,
): Generator<void, PreparedReplacement> {
  const { store } = board;
  const { operator_id, old, own } = replacement;
  const log_index = store.operators.byId(operator_id)?.log_index ?? 0;
  if (own === undefined) return { ...replacement, log_index, isKept: true, before: [], after: [] };
  const { buckets } = store.deviceReplacements;
  const isKept = buckets(operator_id, old) > buckets(operator_id, own);
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

/** An empty submission, which only makes the stored counts settle again. */
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
  const { deviceReplacements } = board.store;
  const [from, to] = isKept ? [own, old] : [old, own];
  changeWithinLimits(board, operator_id, () => {
    replaceCounts(board, { operator_id, before, after, received_at: at });
  });
  if (isKept) deviceReplacements.exchange(old, own);
  deviceReplacements.replace({ operator_id, from, to, at });
  return to;
}
