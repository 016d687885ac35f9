import { expect, test } from 'vitest';
import { quotaText } from '#components/text/quota.ts';

const LIMIT = { quota: 60, windowSeconds: 60, unit: 'requests', of: 'address' };

test.each([
  [{}, '60 requests per minute and address'],
  [{ quota: 1, of: 'key' }, '1 request per minute and key'],
  [{ quota: 1000, windowSeconds: 86_400 }, '1,000 requests per day and address'],
  [{ quota: 2 ** 26, unit: 'content-bytes', of: 'device' }, '64 MiB per minute and device'],
  [{ windowSeconds: 90 }, '60 requests per 90 seconds and address'],
])('quotaText() of %j', (over, text) => {
  expect(quotaText({ ...LIMIT, ...over })).toBe(text);
});
