import { describe, expect, test } from 'vitest';
import type { ChallengeItem, FeedItem } from '#core/domain/board/feed-item.ts';
import { feedEntry } from '#components/text/feed-words.ts';

const at = '2026-03-10T23:00:00.000Z';
const words = { baseUrl: 'https://board.example', tools: ['codex'] };

const day: FeedItem = {
  kind: 'day',
  day: '2026-03-10',
  window: '30d',
  metric: 'yield',
  tool: 'codex',
  at,
  entries: [
    { rank: 1, codename: 'ada', display_name: 'Ada <b>&', value: 12.5, interval: [10, 15] },
    { rank: 2, codename: 'anonymous-0123456789', display_name: null, value: 2, interval: null },
  ],
};

const challenge: ChallengeItem & { at: string } = {
  kind: 'announced',
  id: 'spring',
  title: 'Spring & <b>',
  description: 'One <i>line</i>.\n\nAnother.',
  metric: 'snr',
  tool: null,
  first_day: '2026-03-12',
  last_day: '2026-03-14',
  cancelled_reason: null,
  at,
  entries: [],
};

describe('feedEntry()', () => {
  test('of a day says who stood where, and leads to who has a page only', () => {
    const { title, html, href, updated } = feedEntry(day, words);

    expect(title).toBe('10 Mar 2026: ada is first by yield, codex, 30 days');
    expect(href).toBe('/leaderboard/30d/yield?tool=codex');
    expect(updated).toBe(at);
    expect(html).toContain('<p>Last 30 days, codex, by yield, at the end of the day.</p>');
    expect(html).toContain(
      '<td>1</td><td><a href="https://board.example/operators/ada">Ada &lt;b&gt;&amp; (ada)</a></td><td>12.50</td><td>10.00 to 15.00</td>',
    );
    expect(html).toContain('<td>2</td><td>anonymous-0123456789</td><td>2.00</td><td>–</td>');
    expect(html).toContain('&amp;as_of=2026-03-10"');
  });

  test('of a day calls nobody first who was not, though whoever was is gone', () => {
    const entries = day.entries.slice(1);

    const title = '10 Mar 2026: the board by yield, all tools together, all time';
    const board = { ...day, tool: null, window: 'all_time' } as const;
    expect(feedEntry({ ...board, entries }, words).title).toBe(title);
    expect(feedEntry({ ...board, entries: [] }, words).title).toBe(title);
    expect(feedEntry({ ...day, entries }, words).html).toContain('<td>2</td><td>anonymous-');
  });

  test('of a day leads to the front page where its tool has no board any more', () => {
    expect(feedEntry(day, { ...words, tools: [] }).href).toBe('/');
  });

  test('of records says whose they are', () => {
    const days = { first_day: '2026-02-09', last_day: '2026-03-10', achieved_at: at };
    const record = { codename: 'ada', display_name: null, value: 0.5, ...days };
    const snr = { ...record, metric: 'snr', interval: [0.5, 0.6] as [number, number] } as const;
    const dev10x = { ...snr, metric: 'dev10x' } as const;
    const one = feedEntry({ kind: 'records', at, records: [snr] }, words);
    const two = feedEntry({ kind: 'records', at, records: [snr, dev10x] }, words);

    expect(one.title).toBe('New signal record: SNR by ada');
    expect(two.title).toBe('New signal records: SNR, dev10x');
    expect(two.html.match(/operators\/ada/g)).toHaveLength(2);
    expect(one).toMatchObject({ href: '/hall-of-signal', name: two.name });
  });

  test('of a challenge says what became of it', () => {
    const announced = feedEntry(challenge, words);
    const reason = { cancelled_reason: 'Too <few>' };
    const cancelled = feedEntry({ ...challenge, ...reason, kind: 'cancelled' }, words);
    const over = feedEntry({ ...challenge, kind: 'over' }, words);

    expect(announced.title).toBe('New challenge: Spring & <b>');
    expect(announced.href).toBe('/challenges/spring');
    expect(announced.html).toBe(
      '<p>By SNR, all tools together, 12 Mar 2026 to 14 Mar 2026.</p><p>One &lt;i&gt;line&lt;/i&gt;.</p><p>Another.</p>',
    );
    expect(cancelled.html).toContain('<p>Too &lt;few&gt;</p>');
    expect(over.html).toContain('<p>Nobody has a place in it.</p>');
    expect(new Set([announced, cancelled, over].map(({ name }) => name)).size).toBe(3);
  });
});
