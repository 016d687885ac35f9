import { describe, expect, test } from 'vitest';
import { sensitivityCases } from '#components/method/sensitivity.ts';
import SENSITIVITY from '#components/method/measured-sensitivity.json' with { type: 'json' };

describe('sensitivityCases()', () => {
  const changes = new Map(sensitivityCases().map(({ name, values }) => [name, values]));
  const percent = (sign: string, factor: number) => {
    const share = (100 * Math.abs(factor - 1)).toFixed(1);
    return expect.stringMatching(new RegExp(`^[${sign}]${share} ?%$`)) as string;
  };

  test('input counts twice in yield and once in leverage and velocity', () => {
    const [ofYield, leverage, velocity, , dev10x] = changes.get('Fresh input 10% too high') ?? [];

    expect(ofYield).toEqual(percent('−', 1 / 1.21));
    expect([leverage, velocity]).toEqual([percent('−', 1 / 1.1), percent('−', 1 / 1.1)]);
    expect(dev10x).toBe(`−${Math.log10(1.1).toFixed(2)}`);
  });

  test('too little input raises yield, and SNR follows velocity', () => {
    const [ofYield, , , snr] = changes.get('Fresh input 10% too low') ?? [];

    expect(ofYield).toEqual(percent('+', 1 / 0.81));
    expect(snr).toBe(`+${(9 / 9.9 - 0.9).toFixed(4)}`);
  });

  test('a count changes only the metrics that use it', () => {
    expect(changes.get('Cache writes 10% too high')).toEqual(Array(5).fill('none'));
    expect(changes.get('Cache reads 10% too high')?.slice(2, 4)).toEqual(['none', 'none']);
  });
});

describe('the conclusions from the simulated boards', () => {
  const movedBy = (part: string) =>
    SENSITIVITY.ranks.map(({ rows }) => {
      return rows.find(({ error }) => error.includes(part))?.moved ?? Number.NaN;
    });
  const chance = movedBy('other days');
  const tenths = ['differently each day', 'same every day', '10% too much'].map(movedBy);

  test('an error of a tenth moves operators less than half as far as other days do', () => {
    for (const moved of tenths) {
      expect(moved.every((places, at) => places < (chance[at] ?? 0) / 2)).toBe(true);
    }
  });

  test('a factor of two moves them further than chance where days are even', () => {
    expect(movedBy('twice as much')[0]).toBeGreaterThan(chance[0] ?? Number.NaN);
  });
});
