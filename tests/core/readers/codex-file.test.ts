import { describe, expect, test } from 'vitest';
import { emptyUsage, uuidMs } from '#core/readers/codex-file.ts';

describe('emptyUsage()', () => {
  test.each([
    '/a/rollout-2026-03-02T09-00-00-019CA100-0000-7000-8000-000000000011.jsonl',
    'C:\\a\\rollout-2026-03-02T09-00-00-019ca100-0000-7000-8000-000000000011.jsonl.zst',
  ])('reads the session ID from the name of %s', (path) => {
    expect(emptyUsage(path).session.id).toBe('019ca100-0000-7000-8000-000000000011');
  });

  test('uses the path if the name has no ID', () => {
    expect(emptyUsage('/019ca100-0000-7000-8000-000000000011/x.jsonl').session.id).toBe(
      '/019ca100-0000-7000-8000-000000000011/x.jsonl',
    );
  });
});

describe('uuidMs()', () => {
  test('reads the example of RFC 9562', () => {
    expect(uuidMs('017F22E2-79B0-7CC3-98C4-DC0C0C07398F')).toBe(Date.UTC(2022, 1, 22, 19, 22, 22));
  });

  test.each(['919108f7-52d1-4320-9bac-f847db4148a8', '', null, 7])('gives null for %j', (id) => {
    expect(uuidMs(id)).toBeNull();
  });
});
