import { describe, expect, test } from 'vitest';
import { EXIT, Failure } from '#agent/failure.ts';
import { withRetries } from '#agent/loop/retry.ts';

function aFailure(isPassing: boolean, retryAfterSeconds: number | null = null): Failure {
  return Object.assign(new Failure(EXIT.network, 'down'), { isPassing, retryAfterSeconds });
}

/** Retries a step that fails a number of times, and returns the waits in milliseconds. */
async function tried(failures: number, failure: () => Error) {
  const waits: number[] = [];
  let left = failures;
  const wait = (ms: number) => Promise.resolve(void waits.push(ms));
  const step = () => ((left -= 1) < 0 ? Promise.resolve('done') : Promise.reject(failure()));
  const ended = await withRetries({ wait }, step).catch((error: Error) => error.message);
  return { ended, waits };
}

describe('withRetries()', () => {
  test('waits longer each time, with jitter, and gives up after 5 tries', async () => {
    const { ended, waits } = await tried(9, () => aFailure(true));

    expect(ended).toBe('down (tried 5 times)');
    expect(waits).toHaveLength(4);
    waits.forEach((ms, index) => {
      expect(ms).toBeGreaterThanOrEqual(750 * 2 ** index);
      expect(ms).toBeLessThanOrEqual(1000 * 2 ** index);
    });
    expect(new Set(waits.map((ms, index) => ms / 2 ** index)).size).toBeGreaterThan(1);
  });

  test('waits at least as long as the board asks', async () => {
    const { ended, waits } = await tried(1, () => aFailure(true, 120));

    expect(ended).toBe('done');
    expect(waits[0]).toBeGreaterThanOrEqual(120_000);
    expect(waits[0]).toBeLessThan(121_000);
  });

  test.each([
    ['a board that asks to wait longer than two minutes', () => aFailure(true, 121)],
    ['a permanent error', () => aFailure(false)],
    ['an internal error', () => new Error('down')],
  ])('does not retry after %s', async (_, failure) => {
    expect(await tried(1, failure)).toEqual({ ended: 'down', waits: [] });
  });

  test('says once that it retries and how often, even without a terminal', async () => {
    const news: string[] = [];
    const progress = (text: string, isNews = false) => void (isNews && news.push(text));
    const wait = () => Promise.resolve();

    await withRetries({ wait }, () => Promise.reject(aFailure(true)), progress).catch(() => null);

    expect(news).toEqual(['retrying up to 4 times, first in 1 s: down']);
  });
});
