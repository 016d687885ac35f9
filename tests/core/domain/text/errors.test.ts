import { describe, expect, test } from 'vitest';
import { DomainError, nullIfRefused } from '#core/domain/text/errors.ts';

describe('nullIfRefused()', () => {
  const failing = (error: Error) => () => {
    throw error;
  };

  test('returns the result', () => {
    expect(nullIfRefused(() => 0, 'not_found')).toBe(0);
  });

  test('returns null for the named codes only', () => {
    const read = failing(new DomainError('cursor_expired', 'gone'));

    expect(nullIfRefused(read, 'query_invalid', 'cursor_expired')).toBeNull();
    expect(() => nullIfRefused(read, 'query_invalid')).toThrow('gone');
  });

  test('rethrows other errors', () => {
    expect(() => nullIfRefused(failing(new Error('broken')), 'not_found')).toThrow('broken');
  });
});
