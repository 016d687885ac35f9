import { describe, expect, test } from 'vitest';
import { afterChange } from '#core/domain/counting/changed-day.ts';

const change = (before: number, after: number, isInTime: boolean, isOwnCorrection = false) => ({
  before,
  after,
  isInTime,
  isOwnCorrection,
});

describe('afterChange()', () => {
  test('remembers nothing of a day that only grows in time, or does not change', () => {
    expect(afterChange(null, change(0, 100, true))).toBeNull();
    expect(afterChange(null, change(100, 100, false))).toBeNull();
  });

  test('remembers how much was stated in time when more follows', () => {
    const late = afterChange(null, change(100, 250, false));
    expect(late).toEqual({ in_time: 100, is_lowered: 0 });
    expect(afterChange(late, change(250, 400, false))).toEqual(late);
  });

  test('counts nothing as in time if the first statement is late', () => {
    expect(afterChange(null, change(0, 100, false))).toEqual({ in_time: 0, is_lowered: 0 });
  });

  test('counts tokens as in time that were on hold in between', () => {
    const held = afterChange(null, change(100, 0, true));
    expect(held).toEqual({ in_time: 100, is_lowered: 0 });
    expect(afterChange(held, change(0, 100, false))).toEqual(held);
    expect(afterChange(held, change(0, 120, true))).toEqual({ in_time: 120, is_lowered: 0 });
  });

  test('notes corrections and withdrawals that lower the day, and keeps the note', () => {
    const lowered = afterChange(null, change(100, 40, false, true));
    expect(lowered).toEqual({ in_time: 100, is_lowered: 1 });
    expect(afterChange(lowered, change(40, 90, false))).toEqual(lowered);
    expect(afterChange(null, change(40, 90, false, true))).toMatchObject({ is_lowered: 0 });
  });
});
