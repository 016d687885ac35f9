import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Distribution, distributionOf } from '#core/domain/metrics/distribution.ts';
import { type Spread, spreadOf } from '#core/domain/metrics/spread.ts';
import { calendarChart } from '../../src/charts/calendar-chart.ts';
import { cascadeBar } from '../../src/charts/cascade-bar.ts';
import { distributionChart } from '../../src/charts/distribution-chart.ts';
import { historyLine } from '../../src/charts/history-line.ts';
import { intervalHead, intervalMark } from '../../src/charts/interval-bar.ts';
import { measure } from '../../src/charts/measure.ts';
import { scaleOf } from '../../src/charts/scale.ts';
import { scatter } from '../../src/charts/scatter.ts';
import { sparkLine } from '../../src/charts/spark-line.ts';
import { shapesOf } from '../support/pages/shapes.ts';

const css = readFileSync(new URL('../../src/styles/charts.css', import.meta.url), 'utf8');
const rules = css
  .replaceAll(/\/\*[^*]*\*\//g, '')
  .split(/[{}]/)
  .flatMap((text) => text.split(/[;,]/))
  .map((text) => text.trim());
/** Selectors without and with an ancestor. */
const isSelector = (selector: string) => rules.includes(selector);
const isStyled = (kind: string) => rules.some((rule) => rule.split(' ').includes(`.${kind}`));

const metric = 'yield';
const values = Float64Array.of(1, 20, 300, 4_000, 50_000);
const here = { value: 20, leverage: 20, velocity: 20, label: 'here' };
const measured = { value: 20, conservative: 2, interval: [2, 300] as const };
const points = [0, 20, null, 300, 20].map((value, at) => ({ date: `2026-03-0${at + 1}`, value }));
const scale = scaleOf(metric, [measured]);
const drawings = [
  distributionChart({
    metric,
    distribution: distributionOf(metric, values) as Distribution,
    here,
  }),
  scatter({ spread: spreadOf(values, values) as Spread, here }),
  historyLine({ metric, points, marks: [{ date: '2026-03-02', label: 'ruleset 2' }] }),
  historyLine({ metric, points: points.map((point) => ({ ...point, interval: [1, 2] })) }),
  calendarChart({
    measure: 'tokens',
    from: '2026-01-01',
    to: '2026-06-30',
    days: [{ date: '2026-03-01', value: 5 }],
    levels: [1, 2, 3],
  }),
  cascadeBar({ input: 10, output: 20, cache_write: 30, cache_read: 40 }),
  measure({ metric, ...measured, median: 300 }),
  sparkLine({ metric, values: points.map(({ value }) => value) }),
  intervalHead(scale),
  intervalMark(scale.mark(measured)),
];
const shapes = drawings.flatMap(({ svg }) => shapesOf(svg));

test('everything that a chart draws has a stroke or a fill in the style sheet', () => {
  // Their color depends on their parent.
  const plain = ['input', 'needle', 'line', 'between', 'measure', 'scale'];
  const kinds = new Set(shapes.flatMap(({ attributes }) => attributes['class']?.split(' ') ?? []));
  expect(kinds.size).toBeGreaterThan(20);
  expect(
    [...kinds].filter((kind) => !isStyled(kind)).filter((kind) => !plain.includes(kind)),
  ).toEqual([]);
});

test('elements that rows reuse are styled without their ancestors', () => {
  const [symbol, line] = shapes.slice(shapes.findIndex(({ name }) => name === 'symbol'));
  expect(symbol?.attributes['id']).toBe('scale-ticks');
  expect(isSelector(`.${line?.attributes['class']}`)).toBe(true);
});
