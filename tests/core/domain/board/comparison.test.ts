import { describe, expect, test } from 'vitest';
import {
  comparisonCardPath,
  comparisonQuery,
  comparisonViewOf,
} from '#core/domain/board/comparison.ts';

const viewOf = (query: string) => comparisonViewOf(new URLSearchParams(query));

describe('comparisonViewOf()', () => {
  test('reads names in lower case and in order, each once, from one or several parameters', () => {
    expect(viewOf('with=Cay,ada,,cay, bob').names).toEqual(['ada', 'bob', 'cay']);
    expect(viewOf('with=ada&with=bob%20cay').names).toEqual(['ada', 'bob', 'cay']);
    expect(viewOf('and=cay,bob&with=ada').names).toEqual(['ada', 'bob', 'cay']);
    expect(viewOf('with=%20,').names).toEqual([]);
    expect(viewOf('').names).toEqual([]);
  });

  test('reads the choices as an operator page does', () => {
    expect(viewOf('with=ada,bob&window=90d&tool=codex&trust=all&metric=leverage')).toMatchObject({
      window: '90d',
      tool: 'codex',
      trust: 'all',
      metric: 'leverage',
    });
    const usual = { window: '30d', tool: null, trust: 'signed', metric: 'yield' };
    expect(viewOf('window=1d&trust=x&metric=iq&tool=')).toMatchObject(usual);
  });
});

describe('comparisonQuery()', () => {
  test.each([
    ['', ''],
    ['with=bob,ada&x=1&window=30d', '?with=ada,bob'],
    ['metric=velocity&with=bob&window=7d&with=ada', '?with=ada,bob&window=7d&metric=velocity'],
    ['with=ada,bob&tool=odd+%26+tool%3F', '?with=ada,bob&tool=odd+%26+tool%3F'],
    ['with=%22%3E%3Cb%3E,%26x%3D1', '?with=%22%3E%3Cb%3E,%26x%3D1'],
  ])('of %s is %s, and again', (asked, query) => {
    expect(comparisonQuery(viewOf(asked))).toBe(query);
    expect(comparisonQuery(viewOf(query.slice(1)))).toBe(query);
  });

  test('has names in order, whatever the order of the view', () => {
    expect(comparisonQuery({ ...viewOf(''), names: ['bob', 'ada'] })).toBe('?with=ada,bob');
  });
});

test('comparisonCardPath() is the path of the picture of the same view', () => {
  expect(comparisonCardPath(viewOf('with=bob,ada'))).toBe('/cards/compare/ada,bob.png');
  expect(comparisonCardPath(viewOf('with=ada,bob&window=7d'))).toBe(
    '/cards/compare/ada,bob.png?window=7d',
  );
});
