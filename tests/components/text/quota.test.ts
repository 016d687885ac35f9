import { expect, test } from 'vitest';
import { quotaText } from '#components/text/quota.ts';

const LIMIT = { quota: 60, windowSeconds: 60, unit: 'requests', of: 'address' };

test.each([
  [{}, '60 requests a minute, of one address'],
  [{ quota: 1, of: 'key' }, '1 request a minute, of one key'],
  [{ quota: 1000, windowSeconds: 86_400 }, '1,000 requests a day, of one address'],
  [{ quota: 2 ** 26, unit: 'content-bytes', of: 'device' }, '64 MiB a minute, of one device'],
  [{ windowSeconds: 90 }, '60 requests in 90 seconds, of one address'],
])('quotaText() tells %j', (over, text) => {
  expect(quotaText({ ...LIMIT, ...over })).toBe(text);
});
