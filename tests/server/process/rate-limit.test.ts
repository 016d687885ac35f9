import { describe, expect, test } from 'vitest';
import { LIMITS } from '#core/contract/limits.ts';
import { QuotaError, RateLimiter } from '#server/process/rate-limit.ts';

const { quota, windowSeconds } = LIMITS.enroll;

function aLimiter() {
  const clock = { nowMs: 1_000_000 };
  const limiter = new RateLimiter(LIMITS, () => clock.nowMs);
  const take = (client: string, times: number) =>
    Array.from({ length: times }, () => limiter.take('enroll', client));
  return { clock, limiter, take };
}

test('ten devices can enroll in a window, each after asking for the known devices', () => {
  expect(quota).toBeGreaterThanOrEqual(2 * 10);
});

describe('RateLimiter', () => {
  test('accepts the quota in a window, and the next one when the window is over', () => {
    const { clock, take } = aLimiter();

    take('a', quota);
    expect(() => take('a', 1)).toThrow(QuotaError);
    clock.nowMs += windowSeconds * 1000 - 1;
    expect(() => take('a', 1)).toThrow(QuotaError);
    clock.nowMs += 1;
    expect(() => take('a', quota)).not.toThrow();
    expect(() => take('a', 1)).toThrow(QuotaError);
  });

  test('accepts one more request for each that is given back', () => {
    const { limiter, take } = aLimiter();
    take('a', quota);

    limiter.giveBack('enroll', 'a');
    limiter.giveBack('enroll', 'b');

    expect(() => take('a', 1)).not.toThrow();
    expect(() => take('a', 1)).toThrow(QuotaError);
    expect(() => take('b', quota + 1)).toThrow(QuotaError);
  });

  test('blocks no one for longer than a window when the clock is set back', () => {
    const { clock, limiter, take } = aLimiter();
    take('a', quota);

    clock.nowMs -= 48 * 3_600_000;

    expect(limiter.count('enroll', 'a')).toMatchObject({
      remaining: quota - 1,
      resetSeconds: windowSeconds,
      refused: false,
    });
  });

  test('reports the remaining quota, and when the window ends in whole seconds, never 0', () => {
    const { clock, limiter } = aLimiter();
    const first = limiter.count('enroll', 'a');
    clock.nowMs += windowSeconds * 1000 - 1;
    const second = limiter.count('enroll', 'a');

    expect(first).toEqual({
      policy: 'enroll',
      quota,
      windowSeconds,
      unit: 'requests',
      remaining: quota - 1,
      resetSeconds: windowSeconds,
      refused: false,
    });
    expect(second).toMatchObject({ remaining: quota - 2, resetSeconds: 1 });
  });

  test('says which quota is used up and how long to wait', () => {
    const { limiter, take } = aLimiter();
    take('a', quota);
    const used = limiter.count('enroll', 'a');

    expect(used).toMatchObject({ remaining: 0, resetSeconds: windowSeconds, refused: true });
    expect(() => take('a', 1)).toThrow(
      expect.objectContaining({ code: 'quota_exceeded', count: used }),
    );
    expect(() => take('a', 1)).toThrow('More than 120 requests in 600 seconds. Wait 600 seconds');
  });

  test("counts a request's cost, but nothing for a rejected one", () => {
    const { limiter } = aLimiter();
    const bytes = LIMITS.device_bytes.quota;
    const count = (cost: number) => limiter.count('device_bytes', 'a', { cost });

    expect(count(bytes - 10)).toMatchObject({ remaining: 10, refused: false });
    expect(count(11)).toMatchObject({ remaining: 10, refused: true });
    expect(count(10)).toMatchObject({ remaining: 0, refused: false });
    expect(() => limiter.take('device_bytes', 'a', { cost: 1 })).toThrow(`${bytes} bytes`);
  });

  test("accepts a client's own quota", () => {
    const { limiter } = aLimiter();

    expect(limiter.count('key', 'a', { quota: 1 })).toMatchObject({ quota: 1, remaining: 0 });
    expect(limiter.count('key', 'a', { quota: 1 }).refused).toBe(true);
    expect(limiter.count('key', 'a', { quota: 3 })).toMatchObject({ remaining: 1 });
  });

  test('counts clients and policies separately', () => {
    const { limiter, take } = aLimiter();
    take('a', quota);

    expect(() => take('b', quota)).not.toThrow();
    expect(() => limiter.take('login', 'a')).not.toThrow();
  });

  test('keeps a bounded number of windows for each policy, and drops its oldest', () => {
    const { limiter, take } = aLimiter();
    take('first', quota);
    Array.from({ length: 60_000 }, (_, at) => limiter.take('pages', `client ${at}`));
    Array.from({ length: 49_999 }, (_, at) => take(`client ${at}`, 1));

    expect(() => take('first', 1)).toThrow(QuotaError);
    take('one more', 1);
    expect(() => take('first', quota)).not.toThrow();
  });

  test('treats a client who begins a new window as new', () => {
    const { clock, take } = aLimiter();
    take('first', 1);
    clock.nowMs += windowSeconds * 1000;
    take('second', 1);
    take('first', quota);
    Array.from({ length: 49_999 }, (_, at) => take(`client ${at}`, 1));

    expect(() => take('first', 1)).toThrow(QuotaError);
  });
});
