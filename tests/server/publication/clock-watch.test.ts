import { expect, test } from 'vitest';
import { ClockWatch } from '#server/publication/clock-watch.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const START_MS = Date.parse('2026-03-10T12:00:00Z');

/** Checks the clock at these minutes of a process's life, with the wall clock off by this much. */
function lookAt(minutes: readonly (readonly [minute: number, offMs: number])[]) {
  const clock = new ClockWatch();
  return minutes.map(([minute, offMs]) => {
    const steadyMs = minute * MINUTE_MS;
    return clock.look(START_MS + steadyMs + offMs, steadyMs);
  });
}

const same = { jumpedSeconds: 0, isSettled: true };

test('a clock that runs, or is corrected gradually, has not jumped', () => {
  const slow = Array.from({ length: 300 }, (_, step) => [step * 5, step * 2_000] as const);

  expect(new Set(lookAt(slow).map((look) => JSON.stringify(look)))).toEqual(
    new Set([JSON.stringify(same)]),
  );
});

test('a jump is reported once, and the clock is trusted again when it is back', () => {
  expect(
    lookAt([
      [0, 0],
      [5, HOUR_MS],
      [10, HOUR_MS],
      [15, 0],
      [20, 0],
      [25, -48 * HOUR_MS],
    ]),
  ).toEqual([
    same,
    { jumpedSeconds: 3_600, isSettled: false },
    { jumpedSeconds: 0, isSettled: false },
    { jumpedSeconds: -3_600, isSettled: true },
    same,
    { jumpedSeconds: -172_800, isSettled: false },
  ]);
});

test('a clock that keeps its new time is trusted an hour after its last jump', () => {
  const looks = lookAt([
    [0, 0],
    [5, HOUR_MS],
    [50, 2 * HOUR_MS],
    [66, 2 * HOUR_MS],
    [109, 2 * HOUR_MS],
    [110, 2 * HOUR_MS],
    [115, 2 * HOUR_MS],
    [120, 0],
  ]);

  expect(looks.map(({ isSettled }) => isSettled)).toEqual([
    true,
    false,
    false,
    false,
    false,
    true,
    true,
    false,
  ]);
});
