/** When a failed delivery is attempted again. */
import { DAY_MS } from '#core/domain/counting/day.ts';

const FIRST_MS = 10_000;
const FACTOR = 4;
const HOUR_MS = 3_600_000;
const MAX_MS = 12 * HOUR_MS;
/** Up to this share is added at random, so that receivers do not get all retries at the same time. */
const JITTER = 0.2;

/** After this many attempts, over three to four days, a delivery is given up. */
export const MAX_ATTEMPTS = 14;

/** A webhook whose attempts all failed for this long is disabled. */
export const DISABLE_AFTER_MS = 3 * DAY_MS;

/**
 * Returns the pause after a failed attempt.
 *
 * @param attempts The number of attempts so far.
 * @param retryAfter The `Retry-After` header of the response.
 * @param random From 0 to 1.
 */
export function pauseMs(
  attempts: number,
  { retryAfter, now, random }: { retryAfter: string | null; now: Date; random: number },
): number {
  const backoff = Math.min(FIRST_MS * FACTOR ** (attempts - 1), MAX_MS);
  const asked = Math.min(askedMs(retryAfter, now), MAX_MS);
  return Math.round(Math.max(backoff, asked) * (1 + JITTER * random));
}

/** What a `Retry-After` header asks for, in seconds or as a date; 0 if it is absent or invalid. */
function askedMs(header: string | null, now: Date): number {
  if (header === null) return 0;
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now.getTime();
  return Number.isNaN(ms) ? 0 : Math.max(0, ms);
}
