import type { LimitName, Limits } from '#core/contract/limits.ts';
import { DomainError } from '#core/domain/text/errors.ts';

export interface Count {
  policy: LimitName;
  quota: number;
  windowSeconds: number;
  unit: Limits[LimitName]['unit'];
  remaining: number;
  /** Whole seconds until the window ends, at least 1. */
  resetSeconds: number;
  /** True if the window was full. The request was then not counted. */
  refused: boolean;
}

export class QuotaError extends DomainError {
  readonly count: Count;

  constructor(count: Count) {
    const { quota, windowSeconds, resetSeconds } = count;
    const unit = count.unit === 'content-bytes' ? 'bytes' : 'requests';
    super(
      'quota_exceeded',
      `More than ${quota} ${unit} in ${windowSeconds} seconds. Wait ${resetSeconds} seconds`,
    );
    this.count = count;
  }
}

interface Taking {
  cost?: number;
  quota?: number;
}

interface Window {
  used: number;
  endsMs: number;
}

/** The most windows kept for each policy. The oldest are dropped first, so that memory is bounded. */
const MAX_WINDOWS = 50_000;

/**
 * Counts requests in fixed windows by policy and client. Each policy has its own windows, so one cannot crowd out
 * another.
 */
export class RateLimiter {
  readonly limits: Limits;
  readonly #windows = new Map<LimitName, Map<string, Window>>();
  readonly #nowMs: () => number;

  constructor(limits: Limits, nowMs: () => number) {
    this.limits = limits;
    this.#nowMs = nowMs;
  }

  /** Counts a request if the client's window has room for it. */
  count(policy: LimitName, client: string, { cost = 1, quota }: Taking = {}): Count {
    const limit = this.limits[policy];
    const { windowSeconds, unit } = limit;
    const nowMs = this.#nowMs();
    const window = this.#windowOf(policy, client, nowMs);
    const room = (quota ?? limit.quota) - window.used;
    const refused = cost > room;
    if (!refused) window.used += cost;
    return {
      policy,
      quota: quota ?? limit.quota,
      windowSeconds,
      unit,
      remaining: Math.max(0, refused ? room : room - cost),
      resetSeconds: Math.ceil((window.endsMs - nowMs) / 1000),
      refused,
    };
  }

  take(policy: LimitName, client: string, taking: Taking = {}): void {
    const count = this.count(policy, client, taking);
    if (count.refused) throw new QuotaError(count);
  }

  giveBack(policy: LimitName, client: string, cost = 1): void {
    const window = this.#windowOf(policy, client, this.#nowMs());
    window.used = Math.max(0, window.used - cost);
  }

  /** Returns the client's current window. A new one begins with the first request after the last window ended. */
  #windowOf(policy: LimitName, client: string, nowMs: number): Window {
    let windows = this.#windows.get(policy);
    if (!windows) {
      windows = new Map();
      this.#windows.set(policy, windows);
    }
    const windowMs = this.limits[policy].windowSeconds * 1000;
    const running = windows.get(client);
    const leftMs = (running?.endsMs ?? nowMs) - nowMs;
    // More time than a whole window remains only if the clock was set back.
    if (running && leftMs > 0 && leftMs <= windowMs) return running;
    const window = { used: 0, endsMs: nowMs + windowMs };
    windows.delete(client);
    windows.set(client, window);
    if (windows.size > MAX_WINDOWS) windows.delete(windows.keys().next().value ?? '');
    return window;
  }
}

/**
 * The network by which rare requests are counted: an IPv4 address, or an IPv6 /56, the usual size for one connection.
 * Most limits count by /64, and a /56 contains 256 of those.
 */
export function networkOf(client: string): string {
  if (!client.includes(':')) return client;
  const groups = client.split(':');
  const last = parseInt(groups[3] ?? '0', 16) & 0xff00;
  return [...groups.slice(0, 3), last.toString(16)].join(':');
}
