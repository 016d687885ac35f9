import { describe, expect, test } from 'vitest';
import { LIMITS } from '#core/contract/limits.ts';
import { LargeUpload } from '#server/http/request/large-upload.ts';
import { RateLimiter } from '#server/process/rate-limit.ts';

const anUpload = (client = 'a') => new LargeUpload(new RateLimiter(LIMITS, () => 0), client);

/** Uploads that enter one after the other, and their state. */
function aQueue(count: number) {
  return Array.from({ length: count }, () => {
    const upload = anUpload();
    const told = { upload, state: 'waits' };
    void upload.enter().then(
      () => (told.state = 'entered'),
      ({ code }: { code: string }) => (told.state = code),
    );
    return told;
  });
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('LargeUpload', () => {
  test('lets two enter and a hundred wait, and rejects more', async () => {
    const all = aQueue(105);
    const statesOf = () => Object.entries(Object.groupBy(all, ({ state }) => state));
    const counts = () =>
      Object.fromEntries(statesOf().map(([state, some]) => [state, some?.length]));

    await settled();
    expect(counts()).toEqual({ entered: 2, waits: 100, service_unavailable: 3 });
    all[0]?.upload.leave();
    all[0]?.upload.leave();
    all.at(-1)?.upload.leave();
    await settled();
    expect(counts()).toEqual({ entered: 3, waits: 99, service_unavailable: 3 });
    all.forEach(({ upload }) => upload.leave());
    await settled();
    expect(counts()).toEqual({ entered: 102, service_unavailable: 3 });

    const [next] = aQueue(1);
    await settled();
    expect(next?.state).toBe('entered');
    next?.upload.leave();
    await settled();
  });

  test('enters once, regardless of the number of calls', async () => {
    const [first, second] = [anUpload(), anUpload()];

    await first.enter();
    await first.enter();
    await second.enter();

    first.leave();
    second.leave();
    await settled();
  });
});
