import { describe, expect, test } from 'vitest';
import {
  calibrationResult,
  calibrationTable,
  hasEnough,
  simulatedCalibration,
} from '#components/method/calibration.ts';
import type { Calibration } from '#core/schema/calibration.ts';

function aCalibration(operators: number, agreed: number): Calibration {
  const percent = operators === 0 ? null : Math.round((1000 * agreed) / operators) / 10;
  const of = { operators, agreed, percent };
  const found = { expected_percent: 95, yield: of, leverage: of, velocity: of };
  const methods = (['jackknife-95', 'week-95'] as const).map((method) => ({ method, ...found }));
  return { as_of: '2026-03-10', log_index: 1207, method: 'jackknife-95', methods };
}

describe('the calibration on the page', () => {
  test.each([
    [null, 'The board computes this with its first public log, minutes after its start.'],
    [aCalibration(1, 1), 'So far, 1 operator has enough days. The result appears with 200.'],
    [
      aCalibration(199, 180),
      'So far, 199 operators have enough days. The result appears with 200.',
    ],
    [
      aCalibration(200, 180),
      'Two parts of real histories agree within their intervals 90.0 times in 100. Expected: 95.',
    ],
  ])('is a sentence %#', (calibration, text) => {
    expect(calibrationResult(calibration, 'jackknife-95')).toBe(text);
  });

  test('is that of the current ranking rules, also if the log is from before a switch', () => {
    const { methods, ...before } = aCalibration(200, 180);
    const [jackknife, week] = methods.map((of, at) => {
      return { ...of, yield: { ...of.yield, percent: 90 + at } };
    });
    if (!jackknife || !week) expect.fail();
    const calibration = { ...before, methods: [jackknife, week] };

    expect(calibrationResult(calibration, 'week-95')).toContain(' 91.0 times in 100.');
    expect(calibrationResult(calibration, 'jackknife-95')).toContain(' 90.0 times in 100.');
  });

  test('is a table of 200 operators or more', () => {
    expect([null, aCalibration(199, 1), aCalibration(200, 1)].map(hasEnough)).toEqual([
      false,
      false,
      true,
    ]);
    expect(calibrationTable(aCalibration(1600, 1500))).toEqual({
      caption:
        'How often the two parts agree, in percent. 90 days to 10 Mar 2026, log up to entry 1,207.',
      head: ['Metric', 'Operators', 'Leaving out days', 'Comparing weeks'],
      rows: [
        ['Yield', '1,600', '93.8', '93.8'],
        ['Leverage', '1,600', '93.8', '93.8'],
        ['Velocity', '1,600', '93.8', '93.8'],
      ],
    });
  });

  test('is shown next to that of simulated operators', () => {
    const { head, rows } = simulatedCalibration();
    for (const row of rows) expect(row).toHaveLength(head.length);
    expect(rows).toContainEqual(['Correlated days, rho 0.8', ...['53.6', '51.7', '87.0', '83.5']]);
  });
});
