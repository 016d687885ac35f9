import { expect, test } from 'vitest';
import { runText } from '#agent/text/auto.ts';

const BOARD = 'https://bench.example.org';

test.each([
  [`${BOARD} cannot be reached: no route`, `${BOARD} cannot be reached: no route`],
  ['The board refused', `${BOARD}: The board refused`],
  [null, `${BOARD}: exit code 4`],
])('runText() names the board of "%s" once', (message, told) => {
  const failed = { board: BOARD, records: 0, exit: 4, code: null, message } as const;
  const run = { at: '2026-03-10T12:00:00.000Z', duration_ms: 1, version: '0.6.0', skipped: false };

  expect(runText({ ...run, exit: 4, message: null, boards: [failed] })).toBe(
    `2026-03-10 12:00 UTC: ${told}`,
  );
});
