import { expect, test } from 'vitest';
import { cursorHeaders } from '#server/http/response/cache-control.ts';

test('a page with a cursor is not cached for longer than its cursor works', () => {
  const kept = (refreshMs: number, next_cursor: string | null) =>
    cursorHeaders({ refreshMs }, { next_cursor })['Cache-Control'];

  expect(kept(500, '1.2.3.4')).toBe('public, max-age=0');
  expect(kept(30_000, '1.2.3.4')).toBe('public, max-age=30');
  expect(kept(300_000, '1.2.3.4')).toBe('public, max-age=60');
  expect(kept(500, null)).toBeUndefined();
});
