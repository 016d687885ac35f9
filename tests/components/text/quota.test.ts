import { expect, test } from 'vitest';
import { quotaText } from '#components/text/quota.ts';

const LIMIT = { quota: 60, windowSeconds: 60, unit: 'requests', of: 'address' };

test.each([
  [{}, '60 requests a minute for each address'],
  [{ quota: 1, of: 'key' }, '1 request a minute for each key'],
  [{ quota: 1000, windowSeconds: 86_400 }, '1,000 requests a day for each address'],
  [{ quota: 2 ** 26, unit: 'content-bytes', of: 'device' }, '64 MiB a minute for each device'],
  [{ windowSeconds: 90 }, '60 requests in 90 seconds for each address'],
])('quotaText() tells %j', (over, text) => {
  expect(quotaText({ ...LIMIT, ...over })).toBe(text);
});
