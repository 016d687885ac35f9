import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LIMITS } from '#core/contract/limits.ts';
import { QuotaError, RateLimiter, clientOf } from '#server/http/rate-limit.ts';

describe('clientOf()', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8:1:2::', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['2001:db8::1:2:3:4', '2001:db8:0:0'],
    ['2001:db8::1:2:3:4:5', '2001:db8:0:1'],
    ['::1', '0:0:0:0'],
    ['::', '0:0:0:0'],
    ['1::', '1:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
  ])('counts %s as %s', (address, client) => {
    expect(clientOf(address)).toBe(client);
  });

  test('gives one client for a network of 64 bits, and another for each network', () => {
    const group = fc.nat(0xffff).map((number) => number.toString(16));
    const four = fc.array(group, { minLength: 4, maxLength: 4 });

    fc.assert(
      fc.property(four, four, (network, host) => {
        expect(clientOf([...network, ...host].join(':'))).toBe(network.join(':'));
      }),
    );
  });
});

describe('RateLimiter', () => {
  function aLimiter() {
    const clock = { nowMs: 1_000_000 };
    const limiter = new RateLimiter(() => clock.nowMs);
    const take = (client: string, times: number) =>
      Array.from({ length: times }, () => limiter.take('enroll', client));
    return { clock, limiter, take };
  }

  const { quota, windowSeconds } = LIMITS.enroll;

  test('lets the quota pass in a window, and the next one when the window is over', () => {
    const { clock, take } = aLimiter();

    take('a', quota);
    expect(() => take('a', 1)).toThrow(QuotaError);
    clock.nowMs += windowSeconds * 1000 - 1;
    expect(() => take('a', 1)).toThrow(QuotaError);
    clock.nowMs += 1;
    expect(() => take('a', quota)).not.toThrow();
    expect(() => take('a', 1)).toThrow(QuotaError);
  });

  test('says how many whole seconds to wait', () => {
    const { clock, take } = aLimiter();
    take('a', quota);

    expect(() => take('a', 1)).toThrow(
      expect.objectContaining({ code: 'quota_exceeded', retryAfterSeconds: windowSeconds }),
    );
    clock.nowMs += windowSeconds * 1000 - 1;
    expect(() => take('a', 1)).toThrow(expect.objectContaining({ retryAfterSeconds: 1 }));
  });

  test('counts clients and policies apart', () => {
    const { limiter, take } = aLimiter();
    take('a', quota);

    expect(() => take('b', quota)).not.toThrow();
    expect(() => limiter.take('login', 'a')).not.toThrow();
  });

  test('keeps a bounded number of counters, forgetting the oldest', () => {
    const { take } = aLimiter();
    take('first', quota);
    Array.from({ length: 49_999 }, (_, at) => take(`client ${at}`, 1));

    expect(() => take('first', 1)).toThrow(QuotaError);
    take('one more', 1);
    expect(() => take('first', quota)).not.toThrow();
  });
});
