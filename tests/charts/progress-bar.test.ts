import { expect, test } from 'vitest';
import { progressBar } from '../../src/charts/progress-bar.ts';

const endOf = (share: number) => /class="met"[^>]*x2="([^"]*)"/.exec(progressBar(share).svg)?.[1];

test.each([
  [0.25, '25%'],
  [1, '100%'],
  [7, '100%'],
  [0, undefined],
])('%d of a requirement is drawn up to %s', (share, end) => {
  expect(endOf(share)).toBe(end);
});
