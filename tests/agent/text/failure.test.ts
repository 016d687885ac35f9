import { expect, test } from 'vitest';
import { failureLines } from '#agent/text/failure.ts';

test('keeps the lines of a hint, such as a list of devices', () => {
  const hint = 'It has these devices:\n  "desk"\n  "laptop"\u001B[31m';

  expect(failureLines({ message: 'No device "lapptop"', hint })).toEqual([
    'opbench: No device "lapptop"',
    'It has these devices:',
    '  "desk"',
    '  "laptop"[31m',
  ]);
});
