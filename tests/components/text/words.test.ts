import { describe, expect, test } from 'vitest';
import { recordMetrics } from '#core/domain/metrics/metrics.ts';
import { momentText, metricText, millions, percentText } from '#components/text/format.ts';
import { EXAMPLE, METRIC_WORDS, boardTitle, yieldText } from '#components/text/words.ts';

describe('boardTitle()', () => {
  test('names metric and window', () => {
    expect(boardTitle({ window: '30d', metric: 'yield' })).toBe('Yield leaderboard, last 30 days');
    expect(boardTitle({ window: 'all_time', metric: 'snr' })).toBe('SNR leaderboard, all time');
  });
});

describe('yieldText()', () => {
  test('names the reused and the written tokens', () => {
    expect(yieldText(recordMetrics(EXAMPLE))).toMatch(/ 2,040 tokens .* 9\.03 tokens /);
  });

  test('is null if a part is undefined, or if the parts do not multiply to the yield', () => {
    expect(yieldText({ yield: null, leverage: null, velocity: 2 })).toBeNull();
    expect(yieldText({ yield: 10, leverage: 2, velocity: 2 })).toBeNull();
  });
});

describe('METRIC_WORDS', () => {
  test('contains the results of the example', () => {
    expect(METRIC_WORDS.yield.example).toMatch(/= 18,436\.98$/);
    expect(METRIC_WORDS.leverage.example).toMatch(/= 2,042\.2$/);
    expect(METRIC_WORDS.velocity.example).toMatch(/= 9\.028$/);
    expect(METRIC_WORDS.snr.example).toMatch(/= 0\.9003$/);
    expect(METRIC_WORDS.dev10x.example).toMatch(/= 3\.31$/);
  });
});

describe('numbers and instants', () => {
  test("metrics have a record's decimals, and none from a million on", () => {
    expect(metricText('yield', 18436.9841)).toBe('18,436.98');
    expect(metricText('yield', 1234567.89)).toBe('1,234,568');
    expect(metricText('dev10x', null)).toBe('–');
  });

  test('very small and very large ratios are printed in powers of ten', () => {
    expect(metricText('yield', 8.97647787543e17)).toBe('8.98e17');
    expect(metricText('yield', 999_999_999)).toBe('999,999,999');
    expect(metricText('leverage', 0.04)).toBe('0.04');
    expect(metricText('yield', 0.000104)).toBe('0.0001');
    expect(metricText('yield', 3e-19)).toBe('3.00e-19');
    expect(metricText('yield', 0)).toBe('0.00');
  });

  test('other metrics keep their decimals, and zero has no sign', () => {
    expect(metricText('snr', 1e-9)).toBe('0.0000');
    expect(metricText('dev10x', -4.5)).toBe('-4.50');
    expect(metricText('dev10x', -0.001)).toBe('0.00');
  });

  test('shares keep all their decimals', () => {
    expect([0.9, 0.925, 0.07, 1].map(percentText)).toEqual(['90%', '92.5%', '7%', '100%']);
  });

  test('tokens are printed in millions', () => {
    expect(millions(2_695_923_411)).toBe('2,695.9');
  });

  test('instants are printed in UTC', () => {
    expect(momentText('2026-11-21T23:59:00+01:00', 'instant')).toBe('21 Nov 2026, 22:59 UTC');
    expect(momentText('2026-11-20', 'day')).toBe('20 Nov');
  });
});
