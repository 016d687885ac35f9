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
  closes_at: '2026-03-17T00:00:00.000Z',
  day: null,
  cancelled_reason: null,
  at,
  entries: [],
};

describe('feedEntry()', () => {
  test('of a day lists ranks, and links only operators with a page', () => {
    const { title, html, href, updated } = feedEntry(day, words);

    expect(title).toBe('10 Mar 2026: ada leads by yield, codex, 30 days');
    expect(href).toBe('/leaderboard/30d/yield?tool=codex');
    expect(updated).toBe(at);
    expect(html).toContain('<p>Last 30 days, codex, ranked by conservative yield');
    expect(html).toContain(
      '<td>1</td><td><a href="https://board.example/operators/ada">Ada &lt;b&gt;&amp; (ada)</a></td><td>12.50</td><td>10.00 to 15.00</td>',
    );
    expect(html).toContain('<td>2</td><td>anonymous-0123456789</td><td>2.00</td><td>–</td>');
    expect(html).toContain('&amp;as_of=2026-03-10"');
  });

  test('of a day names nobody as first if the first operator is no longer public', () => {
    const entries = day.entries.slice(1);

    const title = '10 Mar 2026: Leaderboard by yield, all tools, all time';
    const board = { ...day, tool: null, window: 'all_time' } as const;
    expect(feedEntry({ ...board, entries }, words).title).toBe(title);
    expect(feedEntry({ ...board, entries: [] }, words).title).toBe(title);
    expect(feedEntry({ ...day, entries }, words).html).toContain('<td>2</td><td>anonymous-');
  });

  test('of a day links the front page if its tool no longer has a board', () => {
    expect(feedEntry(day, { ...words, tools: [] }).href).toBe('/');
  });

  test('of records names the operators', () => {
    const days = { first_day: '2026-02-09', last_day: '2026-03-10', achieved_at: at };
    const record = { codename: 'ada', display_name: null, ruleset: '1', value: 0.5, ...days };
    const snr = { ...record, metric: 'snr', interval: [0.5, 0.6] as [number, number] } as const;
    const dev10x = { ...snr, metric: 'dev10x' } as const;
    const one = feedEntry({ kind: 'records', at, records: [snr] }, words);
    const two = feedEntry({ kind: 'records', at, records: [snr, dev10x] }, words);

    expect(one.title).toBe('New record: SNR by ada');
    expect(two.title).toBe('New records: SNR, Dev10x');
    expect(two.html.match(/operators\/ada/g)).toHaveLength(2);
    expect(one).toMatchObject({ href: '/hall-of-signal', name: two.name });
  });

  test('of a challenge describes the event', () => {
    const announced = feedEntry(challenge, words);
    const reason = { cancelled_reason: 'Too <few>' };
    const cancelled = feedEntry({ ...challenge, ...reason, kind: 'cancelled' }, words);
    const over = feedEntry({ ...challenge, kind: 'over' }, words);

    expect(announced.title).toBe('New challenge: Spring & <b>');
    expect(announced.href).toBe('/challenges/spring');
    expect(announced.html).toBe(
      '<p>Ranked by SNR, all tools, 12 Mar 2026 to 14 Mar 2026.</p><p>One &lt;i&gt;line&lt;/i&gt;.</p><p>Another.</p>',
    );
    expect(cancelled.html).toContain('<p>Too &lt;few&gt;</p>');
    expect(over.html).toContain('<p>Nobody qualified.</p>');
    expect(new Set([announced, cancelled, over].map(({ name }) => name)).size).toBe(3);
  });

  test('of a running challenge has the start, the end of its days and the standings of a day', () => {
    const began = feedEntry({ ...challenge, kind: 'began' }, words);
    const ended = feedEntry({ ...challenge, kind: 'ended' }, words);
    const place = { place: 1, rank: 1, rank_range: [1, 2] as [number, number], total: 1 };
    const ada = { ...place, codename: 'ada', display_name: null, value: 0.5, active_days: 1 };
    const entries = [{ ...ada, conservative: 0.4, interval: [0.4, 0.6] as [number, number] }];
    const item = { ...challenge, kind: 'standings', day: '2026-03-13', entries } as const;
    const standings = feedEntry(item, words);

    expect(began.title).toBe('Challenge started: Spring & <b>');
    expect(ended.html).toContain('<p>Submissions count until 17 Mar 2026, 00:00 UTC.</p>');
    expect(standings.title).toBe('13 Mar 2026: ada leads Spring & <b>');
    expect(standings.html).toContain('/operators/ada">ada</a>');
    const second = entries.map((entry) => ({ ...entry, rank: 2 }));
    expect(feedEntry({ ...item, entries: second }, words).title).not.toContain('ada');
    const next = feedEntry({ ...item, day: '2026-03-14' }, words);
    expect(next.name).not.toBe(standings.name);
  });
});
