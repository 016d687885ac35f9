import { expect, test } from 'vitest';
import { CheckId } from '#core/schema/moderation.ts';
import { CHECK_RULES } from '#components/method/check-rules.ts';

test('every check is listed once and has a threshold', () => {
  expect(CHECK_RULES.map(({ id }) => id).sort()).toEqual([...CheckId.options].sort());
  expect(CHECK_RULES.every(({ noted, held }) => noted !== null || held !== null)).toBe(true);
});
