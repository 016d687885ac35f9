import type { BucketTotals } from '#db/bucket-totals.ts';
import { ACCOUNT_LIMITS } from '#core/contract/limits.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { MAX_BUCKETS, MAX_COUNT, MAX_SOURCES } from '#core/schema/usage.ts';
import type { AppContext } from '../context.ts';

/** The limited kinds of sources of an operator, as errors name them. */
const SOURCES = {
  tools: 'tools',
  providers: 'providers',
  models: 'models',
  pairs: 'pairs of provider and model',
} as const;

/**
 * Changes an operator's counts, inside the transaction of the change, and checks that the result can be summed
 * exactly and shown. Operators who already have too many sources can still make changes that add none.
 */
export function changeWithinLimits(
  { store }: Pick<AppContext, 'store'>,
  operatorId: number,
  change: () => void,
): void {
  const before = store.buckets.totals(operatorId);
  change();
  const after = store.buckets.totals(operatorId);
  if (after.total > MAX_COUNT) {
    const detail = "After this change, the operator's counts would exceed 2^53-1 tokens";
    throw new DomainError('count_out_of_range', detail);
  }
  const excess = excessOf(before, after);
  if (excess !== null) throw new DomainError('too_many_sources', excess);
}

function excessOf(before: BucketTotals, after: BucketTotals): string | null {
  const isExceeded = (name: keyof BucketTotals, most: number) =>
    after[name] > most && after[name] > before[name];
  const found = (Object.keys(SOURCES) as (keyof typeof SOURCES)[])
    .filter((name) => isExceeded(name, MAX_SOURCES[name]))
    .map((name) => `${after[name]} ${SOURCES[name]} (the limit is ${MAX_SOURCES[name]})`);
  if (found.length > 0) return `After this change, the operator would have ${found.join(', ')}`;
  if (!isExceeded('standing', MAX_BUCKETS)) return null;
  const most = `the limit is ${MAX_BUCKETS}`;
  return `After this change, the operator would have ${after.standing} daily counts (${most})`;
}

/** Checks, inside the transaction, that an account may enroll one more key. */
export function checkDeviceLimits(
  { store, limiter }: AppContext,
  operator_id: number,
  device_id: number | undefined,
): void {
  const { keys, active } = store.devices.keyCounts(operator_id);
  const { active_devices, device_keys } = ACCOUNT_LIMITS;
  const isReplaced = device_id !== undefined && store.devices.activeKey(device_id) !== undefined;
  if (!isReplaced && active >= active_devices.most) {
    throw reached(
      `The account has ${active} active devices, and the limit is ${active_devices.most}. Revoke a device that you no longer use under Settings, Devices.`,
    );
  }
  if (keys >= device_keys.most) {
    throw reached(
      `The account has enrolled ${keys} keys, including revoked ones, and the limit is ${device_keys.most}. Keep a device's state folder instead of enrolling the device again, or contact the admin of the board.`,
    );
  }
  limiter.take('enroll_account', String(operator_id));
}

/** Checks, inside the transaction that stored a submission, that the account's log is within its limit. */
export function checkStoredBytes({ store }: Pick<AppContext, 'store'>, operator_id: number): void {
  const { most } = ACCOUNT_LIMITS.stored_bytes;
  if (store.log.bytesOf(operator_id) <= most) return;
  throw reached(
    `With this submission, the account would store more than ${most} bytes. You cannot delete single submissions. Contact the admin of the board, or delete the account and start again.`,
  );
}

function reached(detail: string): DomainError {
  return new DomainError('account_limit_reached', detail);
}
