/** Daily counts to send again with a fingerprint, so that counts of two devices are recognized as the same. */
import { join } from 'node:path';
import * as z from 'zod';
import { bucketKey, totalOf } from '#core/domain/counting/bucket.ts';
import { utcDay } from '#core/domain/counting/day.ts';
import type { Bucket } from '#core/schema/usage.ts';
import type { MeAnswer, DailyCountAnswer } from '../board/answers.ts';
import type { LocalDevice } from '../device.ts';
import { nullIfFailure } from '../failure.ts';
import { readOfDevice, writePrivate } from '../state/atomic-file.ts';
import type { Identity } from '../state/keystore.ts';
import type { Sendable } from './compose.ts';
import { type FingerprintSource, withFingerprints } from './fingerprints.ts';

const Looked = z.object({
  device_id: z.string(),
  day: z.string(),
  /** The days of counts that the board has without a fingerprint and that could get one; null if none. */
  span: z.object({ from: z.string(), to: z.string() }).nullable(),
});

/** Counts to send again, and a function to call when the board has them. */
export interface SharedDue {
  buckets: readonly Bucket[];
  settle: () => void;
}

const NOTHING: SharedDue = { buckets: [], settle: () => undefined };

/**
 * Finds daily counts that the board has from another device and, without a fingerprint, from this one. Versions
 * before 0.10 sent none. Asks the board at most once a day, and only if the account has other devices and such counts
 * of this device remain. If the request fails, it is repeated another day.
 */
export async function sharedDue(
  device: LocalDevice,
  identity: Identity,
  { me, sendable, source }: { me: MeAnswer; sendable: Sendable; source: FingerprintSource },
): Promise<SharedDue> {
  const path = join(device.keystore.folderOf(identity.board), 'shared.json');
  const looked = readOfDevice(path, Looked, identity.device_id);
  const day = utcDay(device.nowMs());
  const hasOthers = (me.device_count ?? 0) > 1;
  // Already asked today, or nothing is left to find.
  const isSettled = looked !== null && (looked.day === day || looked.span === null);
  if (!hasOthers || isSettled) return NOTHING;
  const counts = await device.client.counts(identity, looked?.span ?? {}).catch(nullIfFailure);
  if (counts === null) return NOTHING;
  const { due, later } = sortedOut(counts, identity.device_id, sendable.buckets, source);
  const days = later.map((bucket) => bucket.day).sort();
  const span = days.length > 0 ? { from: days[0], to: days.at(-1) } : null;
  const { device_id } = identity;
  return {
    buckets: due,
    settle: () => writePrivate(path, JSON.stringify({ device_id, day, span })),
  };
}

/** Counts of this device that could get a fingerprint: those that another device also has, and the others. */
function sortedOut(
  counts: readonly DailyCountAnswer[],
  deviceId: string,
  buckets: readonly Bucket[],
  source: FingerprintSource,
): { due: readonly Bucket[]; later: readonly Bucket[] } {
  const bare = counts.filter((one) => one.device === deviceId && one.fingerprint === null);
  const stated = new Map(bare.map((one) => [bucketKey(one), totalOf(one)]));
  const others = new Set(counts.filter((one) => one.device !== deviceId).map(bucketKey));
  const known = buckets.filter((bucket) => {
    const total = stated.get(bucketKey(bucket));
    return total !== undefined && totalOf(bucket) >= total;
  });
  const able = withFingerprints(known, source).filter(
    ({ fingerprint }) => fingerprint !== undefined,
  );
  return {
    due: able.filter((bucket) => others.has(bucketKey(bucket))),
    later: able.filter((bucket) => !others.has(bucketKey(bucket))),
  };
}
