import { describe, expect, test } from 'vitest';
import { operatorQuery, operatorViewOf } from '#core/domain/board/operator-view.ts';

const viewOf = (query: string) => operatorViewOf(new URLSearchParams(query));

describe('operatorViewOf()', () => {
  test('defaults to signed tokens of all tools in 30 days, by yield and by day', () => {
    expect(viewOf('')).toEqual({
      window: '30d',
      tool: null,
      trust: 'signed',
      metric: 'yield',
      interval: 'day',
      calendar: 'tokens',
      beside: null,
    });
    const told =
      'window=90d&tool=codex&trust=all&metric=snr&interval=week&calendar=dev10x&with=Ada';
    expect(viewOf(told)).toEqual({
      window: '90d',
      tool: 'codex',
      trust: 'all',
      metric: 'snr',
      interval: 'week',
      calendar: 'dev10x',
      beside: 'ada',
    });
  });

  test('uses the default for invalid values', () => {
    const odd = 'window=1d&trust=none&metric=constructor&interval=month&calendar=iq&tool=&with=%20';

    expect(viewOf(odd)).toEqual(viewOf(''));
  });

  test('keeps the name of a tool unchanged, and trims typed names', () => {
    expect(viewOf('tool=%20x%C2%A0&with=%20Bob%20')).toMatchObject({
      tool: ' x\u00a0',
      beside: 'bob',
    });
    expect(operatorQuery(viewOf('tool=%20x&with=%20Bob%20'))).toBe('?tool=+x&with=bob');
  });

  test('draws seven days by day only, and all time by week only', () => {
    expect(viewOf('window=7d&interval=week').interval).toBe('day');
    expect(viewOf('window=all_time&interval=day').interval).toBe('week');
  });
});

describe('operatorQuery()', () => {
  test('is the same for the same view, whatever the request', () => {
    const asked = 'x=1&metric=yield&with=Bob&window=30d&tool=codex&window=7d';

    expect(operatorQuery(viewOf(asked))).toBe('?tool=codex&with=bob');
    expect(operatorQuery(viewOf('window=30d&trust=signed&interval=day'))).toBe('');
  });

  test.each([
    '',
    '?window=7d',
    '?window=90d&metric=snr&interval=week',
    '?tool=a+b%26c&trust=all',
    '?calendar=yield&with=ada',
  ])('queries the view that it was made from: %s', (query) => {
    expect(operatorQuery(viewOf(query.slice(1)))).toBe(query);
  });

  test('leaves out an interval that the window does not support', () => {
    const view = { ...viewOf('window=90d&interval=week'), window: '7d' } as const;

    expect(operatorQuery(view)).toBe('?window=7d');
  });
});
