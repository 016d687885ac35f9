import { LIMITS, type LimitName } from '#core/contract/limits.ts';
import { DomainError } from '#core/domain/errors.ts';

/** A refusal that says when to come back. */
export class QuotaError extends DomainError {
  readonly retryAfterSeconds: number;

  constructor(policy: LimitName, retryAfterSeconds: number) {
    const { quota, windowSeconds } = LIMITS[policy];
    super(
      'quota_exceeded',
      `More than ${quota} requests in ${windowSeconds} seconds; wait ${retryAfterSeconds} seconds`,
    );
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

interface Counter {
  used: number;
  endsMs: number;
}

/** Counters kept at once; the oldest are forgotten first, so that memory is bounded. */
const MAX_COUNTERS = 50_000;

/** Fixed windows by policy and client. */
export class RateLimiter {
  readonly #counters = new Map<string, Counter>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Counts one request.
   *
   * @throws {QuotaError} if the client's window is used up.
   */
  take(policy: LimitName, client: string): void {
    const { quota, windowSeconds } = LIMITS[policy];
    const key = `${policy} ${client}`;
    const nowMs = this.#now();
    let counter = this.#counters.get(key);
    if (!counter || counter.endsMs <= nowMs) {
      counter = { used: 0, endsMs: nowMs + windowSeconds * 1000 };
      this.#counters.delete(key);
      this.#counters.set(key, counter);
      this.#forgetOldest();
    }
    if (counter.used >= quota) {
      throw new QuotaError(policy, Math.ceil((counter.endsMs - nowMs) / 1000));
    }
    counter.used += 1;
  }

  #forgetOldest(): void {
    if (this.#counters.size <= MAX_COUNTERS) return;
    const oldest = this.#counters.keys().next().value;
    if (oldest !== undefined) this.#counters.delete(oldest);
  }
}

/** What a client's windows are counted by: its address, or an IPv6 network of 64 bits. */
export function clientOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/, '');
  if (!plain.includes(':')) return plain;
  const [head = '', tail] = plain.split('::');
  const groups = head.split(':').filter(Boolean);
  const rest = tail === undefined ? [] : tail.split(':').filter(Boolean);
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - rest.length) }, () => '0');
  return [...groups, ...zeros, ...rest].slice(0, 4).join(':');
}
