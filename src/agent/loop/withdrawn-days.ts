/** Which days a board no longer has of this device because submissions were withdrawn. */
import { bucketKey, keyParts, totalOf } from '#core/domain/counting/bucket.ts';
import type { MeAnswer } from '../board/answers.ts';
import type { Device } from '../device.ts';
import { Failure } from '../failure.ts';
import type { Identity } from '../kept/keystore.ts';
import type { Outbox } from '../kept/outbox.ts';

/**
 * The buckets that this device sent, that a withdrawn submission covers, and of which the board
 * has less or nothing. What another submission states as well is not among them.
 *
 * @returns Their keys.
 * @throws {Failure} if the board cannot be asked.
 */
export async function withdrawnBuckets(
  { client }: Pick<Device, 'client'>,
  { identity, outbox }: { identity: Identity; outbox: Outbox },
  me: Pick<MeAnswer, 'withdrawn'>,
): Promise<string[]> {
  const withdrawn = me.withdrawn ?? [];
  const sent = [...outbox.sent()].filter(([key]) => {
    const day = keyParts(key).day;
    return withdrawn.some(({ first_day, last_day }) => first_day <= day && day <= last_day);
  });
  if (sent.length === 0) return [];
  const days = sent.map(([key]) => keyParts(key).day).sort();
  const range = { from: days[0] ?? '', to: days.at(-1) ?? '' };
  const counts = await client.counts(identity, { device: identity.device_id, ...range });
  // A board before 0.10 lists neither them nor what was withdrawn.
  if (counts === null) return [];
  const stated = new Map(counts.map((count) => [bucketKey(count), totalOf(count)]));
  return sent
    .filter(([key, pillars]) => totalOf(pillars) > (stated.get(key) ?? -1))
    .map(([key]) => key);
}

/** The same; null if the board cannot be asked. */
export async function knownWithdrawn(
  ...asked: Parameters<typeof withdrawnBuckets>
): Promise<string[] | null> {
  try {
    return await withdrawnBuckets(...asked);
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
}

/** The days of buckets, in order. */
export function daysOfKeys(keys: readonly string[]): string[] {
  return [...new Set(keys.map((key) => keyParts(key).day))].sort();
}
