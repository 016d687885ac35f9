import { expect, test } from 'vitest';
import type { CountedSubmission } from '#core/domain/counting/counting.ts';
import { PackedSubmissions, internTexts } from '#core/domain/log/packed-submissions.ts';

const BUCKET = { day: '2026-03-01', provider: 'acme', model: 'acme-1', tool: 'codex' };

test('gives back the submissions that were added, in order', () => {
  const submissions: CountedSubmission[] = [
    {
      device_id: 1,
      log_index: 7,
      trust: 'signed',
      correction: { tool: 'codex', from: '2026-02-01', to: '2026-02-28' },
      buckets: [
        { ...BUCKET, input: 0, output: 1, cache_write: null, cache_read: 2 ** 53 - 1 },
        { ...BUCKET, input: 3, output: 0, cache_write: 0, cache_read: null, fingerprint: 'AAAAAQ' },
      ],
    },
    { device_id: 2, log_index: 8, trust: 'self_reported', correction: null, buckets: [] },
    {
      device_id: 1,
      log_index: 9,
      trust: 'signed',
      correction: null,
      buckets: [{ ...BUCKET, tool: 'cli', input: 4, output: 5, cache_write: 6, cache_read: 7 }],
    },
  ];
  const packed = new PackedSubmissions(internTexts());

  for (const submission of submissions) packed.add(submission);

  expect([...packed]).toEqual(submissions);
});
