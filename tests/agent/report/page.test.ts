import { createHash } from 'node:crypto';
import type { Element, Root } from 'hast';
import rehypeParse from 'rehype-parse';
import { unified } from 'unified';
import { describe, expect, test } from 'vitest';
import { MARK, reportPage } from '#agent/report/page.ts';
import { reportData } from '#agent/report/report-data.ts';
import type { BoardRank } from '#agent/report/board-rank.ts';
import { rankOf } from '#agent/report/board-rank.ts';
import { EXIT, Failure } from '#agent/failure.ts';
import type { Bucket } from '#core/schema/usage.ts';
import { htmlFaults } from '#tests/support/board/inspection.ts';
import { NOW_MS, aBucket, bucketsOfDays } from '#tests/support/board/builders.ts';
import { expressionsIn } from '#tests/support/text/expressions.ts';
import { shownText } from '#tests/support/text/shown-text.ts';

const HOSTILE = `"><script>alert(1)</script><img src=https://evil.example/x>'&`;
const USED = { input: 10_000, output: 50_000, cache_write: 100_000, cache_read: 900_000 };

interface Asked {
  since?: string;
  rank?: BoardRank;
  gone?: number;
}

function pageOf(buckets: readonly Bucket[], { since, rank, gone = 0 }: Asked = {}): string {
  const source = { tool: HOSTILE, roots: [], files: 1, events: 2, skipped: {}, unreadable: [] };
  const scanned = { buckets: [...buckets], sources: [source], notes: [HOSTILE], logs: [], gone };
  return reportPage(
    reportData({
      scanned,
      since: since ?? null,
      nowMs: NOW_MS,
      rank: rank ?? null,
      projects: null,
    }),
  );
}

const MIXED = [
  ...bucketsOfDays(40, '2026-01-30', USED),
  ...bucketsOfDays(12, '2026-02-20', { ...USED, tool: HOSTILE, model: HOSTILE, provider: HOSTILE }),
  aBucket({ day: '2026-03-01', tool: 'copilot-cli', cache_read: null, cache_write: null }),
];

function elementsOf(html: string): Element[] {
  const found: Element[] = [];
  const visit = (node: Element | Root) => {
    for (const child of node.children) {
      if (child.type !== 'element') continue;
      found.push(child);
      visit(child);
    }
  };
  visit(unified().use(rehypeParse).parse(html));
  return found;
}

describe('reportPage()', () => {
  const pages: [string, string][] = [
    ['a whole report', pageOf(MIXED)],
    ['one day', pageOf([aBucket({ day: '2026-03-10', ...USED })])],
    [
      'tokens without a yield',
      pageOf(bucketsOfDays(9, '2026-03-01', { ...USED, cache_read: null })),
    ],
    ['no tokens', pageOf([])],
  ];

  test.each(pages)('is valid HTML and plain English: %s', async (_, html) => {
    expect(await htmlFaults(html)).toEqual([]);
    expect(expressionsIn(shownText(html.replaceAll('script', '')))).toEqual([]);
  });

  test.each(pages)('refers to nothing outside the file and has no script: %s', (_, html) => {
    const elements = elementsOf(html);
    const names = new Set(elements.map(({ tagName }) => tagName));
    const attributes = elements.flatMap(({ properties }) => Object.keys(properties));
    const styles = elements.filter(({ tagName }) => tagName === 'style');

    for (const name of ['script', 'link', 'img', 'iframe', 'object', 'embed', 'base', 'form', 'a'])
      expect(names).not.toContain(name);
    expect(
      attributes.filter((name) => /^(on|src|href|xlink|action|style$|ping)/i.test(name)),
    ).toEqual([]);
    expect(styles).toHaveLength(1);
    expect(JSON.stringify(styles)).not.toMatch(/url\(|@import/);
  });

  test('has a policy that allows only its own style sheet', () => {
    const html = pageOf(MIXED);
    const [, style = ''] = /<style>(.*?)<\/style>/s.exec(html) ?? [];
    const [, policy] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html) ?? [];
    const digest = createHash('sha256').update(style).digest('base64');

    expect(policy).toBe(
      `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'`,
    );
    expect(html.slice(0, 1024)).toContain(MARK);
  });

  test('escapes every name from logs', () => {
    const html = pageOf(MIXED);

    expect(html).not.toContain('<script');
    expect(html).not.toContain('<img');
    expect(html).toContain('&quot;&gt;&lt;script&gt;');
  });

  test('has a section for everything that the logs say', () => {
    const titles = elementsOf(pageOf(MIXED)).flatMap(({ tagName, properties }) =>
      tagName === 'h2' ? [properties['id']] : [],
    );

    expect(titles).toEqual([
      ...['yield', 'history', 'calendar', 'tokens', 'split'],
      ...['days', 'sums', 'logs', 'terms'],
    ]);
    expect(
      elementsOf(pageOf(MIXED)).filter(({ tagName }) => tagName === 'svg').length,
    ).toBeGreaterThan(6);
  });

  test('says what is missing for a rank, and the class if there is one', () => {
    expect(pageOf(MIXED)).toContain('Class <strong>');
    expect(pageOf(bucketsOfDays(2, '2026-03-09', USED))).toContain('5 more active days (2 of 7)');
    expect(pageOf(bucketsOfDays(2, '2026-03-09', USED))).toContain('No class yet');
  });

  test('covers the days since a day, but estimates from all days', () => {
    const html = pageOf(MIXED, { since: '2026-03-05' });

    expect(html).toContain('<title>Your AI assistants, 5 Mar 2026 to 10 Mar 2026</title>');
    expect(html).toContain('Class <strong>');
  });

  test('says how many tokens are from deleted logs', () => {
    expect(pageOf(MIXED, { gone: 12_345 })).toContain('12,345 tokens whose logs no longer exist');
  });

  test('without tokens, says where to look', () => {
    expect(pageOf([])).toContain('run: opbench doctor --offline');
  });
});

describe('the rank on a board', () => {
  const answer = { as_of: '2026-03-10', others: 3, lows: [9000, 500, 1], ruleset: '1' };
  const rank = (over: Partial<BoardRank>): BoardRank => {
    return { board: 'https://bench.example.org', failure: null, answer, ...over };
  };

  test('is after all operators with a higher conservative value', () => {
    expect(rankOf(answer, 500)).toEqual({ rank: 2, total: 4, isAtLeast: false });
    expect(rankOf(answer, 0.5)).toEqual({ rank: 4, total: 4, isAtLeast: false });
    expect(rankOf({ ...answer, others: 200 }, 0.5)).toEqual({
      rank: 4,
      total: 201,
      isAtLeast: true,
    });
    expect(pageOf(MIXED, { rank: rank({}) })).toMatch(/<strong>Rank \d of 4<\/strong>/);
  });

  test('is missing if these counts are not enough', () => {
    const html = pageOf(bucketsOfDays(2, '2026-03-09', USED), { rank: rank({}) });

    expect(html).toContain('These counts are not enough for a rank in 30 days.');
    expect(html).toContain('3 other operators are ranked there');
  });

  test('is missing with the reason if the board could not be asked', () => {
    const failure = new Failure(EXIT.network, `no connection ${HOSTILE}`);
    const html = pageOf(MIXED, { rank: rank({ failure, answer: null }) });

    expect(html).toContain('could not be asked, so there is no estimate of a rank: no connection');
    expect(html).not.toContain('<script');
  });

  test('says if the board has other rules', () => {
    expect(pageOf(MIXED, { rank: rank({ answer: { ...answer, ruleset: '1-abc' } }) })).toContain(
      'The board has other ranking rules',
    );
  });
});
