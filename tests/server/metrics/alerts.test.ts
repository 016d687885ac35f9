/** Checks that the alerts and the dashboard in scripts/deploy fit the metrics. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { createMetrics } from '#server/metrics/registry.ts';
import { metricSources } from '#tests/support/http/metrics.ts';

interface Rule {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string; description?: string };
}

interface Panel {
  id: number;
  title: string;
  targets?: { expr: string; refId: string }[];
  gridPos: { x: number; y: number; w: number; h: number };
}

const read = (name: string) => readFileSync(`scripts/deploy/${name}`, 'utf8');
const RULES = (
  parse(read('prometheus-rules.yml')) as { groups: { rules: Rule[] }[] }
).groups.flatMap(({ rules }) => rules);
const DASHBOARD = JSON.parse(read('grafana-dashboard.json')) as {
  panels: Panel[];
  templating: { list: { query: string }[] };
};
const EXPRESSIONS = [
  ...RULES.map(({ expr }) => expr),
  ...DASHBOARD.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ...DASHBOARD.templating.list.map(({ query }) => query),
];

/** Every name that a scrape can contain. Prometheus itself adds `up`. */
async function knownNames(): Promise<Set<string>> {
  const { registry } = await createMetrics(metricSources());
  const metrics = await registry.getMetricsAsJSON();
  const names = metrics.flatMap(({ name, type }) => {
    return type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name];
  });
  return new Set(names);
}

describe('the alerts and the dashboard', () => {
  test('name only metrics that exist', async () => {
    const known = await knownNames();
    const named = EXPRESSIONS.flatMap(
      (expr) => expr.match(/\b(?:opbench|nodejs|process)_\w+/g) ?? [],
    );

    expect(named.length).toBeGreaterThan(40);
    expect([...new Set(named)].filter((name) => !known.has(name))).toEqual([]);
  });

  test('use only labels and events that exist', () => {
    const labels = EXPRESSIONS.flatMap((expr) => expr.match(/(?<=[{,])\w+(?==)/g) ?? []);
    expect([...new Set(labels)].sort()).toEqual([
      'event',
      'instance',
      'job',
      'result',
      'state',
      'status',
    ]);

    const source = readFileSync('src/content/docs/run/monitoring.md', 'utf8');
    const events = EXPRESSIONS.flatMap(
      (expr) => /event=~"([^"]*)"/.exec(expr)?.[1]?.split('|') ?? [],
    );
    expect(events.filter((event) => !source.includes(`\`${event}\``))).toEqual([]);
  });

  test('have balanced parentheses', () => {
    for (const expr of EXPRESSIONS) {
      expect([expr, expr.split('(').length]).toEqual([expr, expr.split(')').length]);
    }
  });
});

test('each alert has its own name, a severity and a sentence', () => {
  expect(new Set(RULES.map(({ alert }) => alert)).size).toBe(RULES.length);
  for (const { alert, labels, annotations } of RULES) {
    expect(alert).toMatch(/^Opbench[A-Z]\w+$/);
    expect(['critical', 'warning', 'info']).toContain(labels.severity);
    expect(annotations.summary).toMatch(/\.$/);
  }
});

test('the panels of the dashboard have their own numbers and do not overlap', () => {
  const { panels } = DASHBOARD;
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) => {
    return Array.from({ length: w * h }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`);
  });
  expect(new Set(cells).size).toBe(cells.length);
});

test('the documentation lists every metric of the board', async () => {
  const page = readFileSync('src/content/docs/run/metrics.md', 'utf8');
  const { registry } = await createMetrics(metricSources());
  const names = registry.getMetricsAsArray().map(({ name }) => name);

  const own = names.filter((name) => name.startsWith('opbench_'));
  expect(own.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
