import { expect, test } from 'vitest';
import { classMark } from '../../src/charts/class-mark.ts';
import { ClassTier } from '#core/schema/board.ts';

test('each class has a mark of its own, in the color of the text', () => {
  const marks = ClassTier.options.map((tier) => classMark(tier)?.svg);

  expect(new Set(marks).size).toBe(ClassTier.options.length);
  expect(marks.filter((mark) => mark !== undefined)).toHaveLength(10);
  for (const mark of marks) expect(mark ?? '').not.toMatch(/#|rgb|fill=/);
});

test('unclassed operators have no mark', () => {
  expect(classMark('unclassed')).toBeNull();
});
