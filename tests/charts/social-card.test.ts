import { describe, expect, test } from 'vitest';
import type { BoardEntry } from '#core/schema/board.ts';
import { DEFAULT_COLOURS } from '#core/domain/board/colours.ts';
import { type SocialCard, socialCard as cardIn } from '../../src/charts/social-card.ts';
import { cardOf } from '#components/board/social-card-words.ts';
import { drawn } from '../support/pages/drawn.ts';

const socialCard = (card: SocialCard) => cardIn(card, DEFAULT_COLOURS.light);

type Facts = Parameters<typeof cardOf>[0];

const SITE = { name: 'Opbench', baseUrl: 'https://bench.example.org' };

function anEntry(rank: number, codename: string, value: number): BoardEntry {
  const interval: BoardEntry['interval'] = [value / 2, rank === 1 ? null : value * 2];
  const measured = { metrics: { yield: value }, conservative: value / 2, interval };
  return { rank, codename, ...measured } as unknown as BoardEntry;
}

function facts(names: readonly string[], over: Partial<Facts> = {}): Facts {
  return {
    window: '30d',
    metric: 'yield',
    tool: null,
    tools: [],
    as_of: '2026-03-10',
    total: names.length,
    unranked: 0,
    entries: names.map((name, at) => anEntry(at + 1, name, 10 ** (4 - at))),
    ...over,
  };
}

const FIVE = ['ada', 'anonymous-0123456789', 'w'.repeat(30), 'x-1', 'grace'];

/** Whether only the background is visible between two heights. */
const isEmpty = (picture: Awaited<ReturnType<typeof drawn>>, top: number, bottom: number) =>
  picture.colours({ top, bottom }) === 1;

describe('cardOf()', () => {
  test('names the board, the number of operators, the site and the day', () => {
    const card = cardOf(facts(FIVE, { total: 1214, tool: 'codex', tools: ['codex'] }), SITE);
    expect(card).toMatchObject({
      board: 'Opbench',
      title: 'Yield leaderboard, last 30 days, codex',
      total: '1,214 ranked operators',
      address: 'bench.example.org',
      day: '10 Mar 2026',
      notes: ['Ranked by the marked conservative value.'],
    });
    expect(card.rows.map(({ rank, name, value }) => [rank, name, value])).toEqual([
      ['1', 'ada', '5,000'],
      ['2', 'anonymous-0123456789', '500'],
      ['3', 'w'.repeat(30), '50'],
      ['4', 'x-1', '5.0'],
      ['5', 'grace', '0.50'],
    ]);
    expect(card.ticks?.length).toBeGreaterThan(3);
  });

  test('has intervals as text instead of a scale for few operators', () => {
    const card = cardOf(facts(['ada', 'grace']), SITE);
    expect(card.ticks).toBeNull();
    expect(card.total).toBe('2 ranked operators');
    expect(card.rows.map(({ mark, interval }) => [mark, interval])).toEqual([
      [null, 'or more'],
      [null, 'to\u00a02,000'],
    ]);
  });

  test('explains why there are no rows', () => {
    expect(cardOf(facts([]), SITE).notes).toEqual([
      'No one is on the board yet.',
      'Submit your counts to be first.',
    ]);
    expect(cardOf(facts([], { unranked: 1 }), SITE).notes).toEqual([
      'No one is ranked yet.',
      '1 operator has tokens so far.',
    ]);
  });
});

describe('socialCard()', () => {
  test('is 1200 by 630, with rows, bars and empty margins', async () => {
    const { svg } = socialCard(
      cardOf(facts(FIVE, { tool: 'a-tool-with-a-long-name', tools: ['x'] }), SITE),
    );
    expect(svg).not.toMatch(/NaN|Infinity|undefined|style/);

    const picture = await drawn(svg);

    const { width, height, colours } = picture;
    expect([width, height]).toEqual([1200, 630]);
    for (const [left, right] of [
      [0, 70],
      [1130, 1200],
    ] as const) {
      expect(colours({ left, right, bottom: 550 })).toBe(1);
    }
    for (const row of [0, 1, 2, 3, 4]) {
      const lines = { top: 220 + row * 56, bottom: 256 + row * 56 };
      // Names, bars and values do not overlap.
      expect(colours({ ...lines, left: 530, right: 545 })).toBe(1);
      expect(colours({ ...lines, left: 902, right: 925 })).toBe(1);
      expect(colours({ ...lines, left: 112, right: 530 })).toBeGreaterThan(3);
      expect(colours({ ...lines, left: 550, right: 892 })).toBeGreaterThan(4);
      expect(colours({ ...lines, left: 940 })).toBeGreaterThan(3);
    }
    // There is space between the scale's labels and the footer.
    expect(isEmpty(picture, 525, 550)).toBe(true);
  });

  test('handles hostile names, and values of any length', async () => {
    const name = '</svg><image href="file:///etc/passwd"/>&\u0001 لوحة 東京';
    const extremes = facts(FIVE, {
      tool: '</path>"\u0007 東京',
      entries: FIVE.map((codename, at) => anEntry(at + 1, codename, at % 2 ? 1e-9 : 1e15)),
    });
    const card = cardOf(extremes, { ...SITE, name });
    const rows = card.rows.map((row, at) => (at === 2 ? { ...row, value: '9'.repeat(20) } : row));
    const { svg } = socialCard({ ...card, rows });
    expect(svg).not.toMatch(/NaN|Infinity|undefined|<image/);

    const { colours } = await drawn(svg);

    expect(colours({ left: 1130, bottom: 550 })).toBe(1);
    expect(colours({ left: 902, right: 925, top: 200, bottom: 480 })).toBe(1);
  });

  test('has no rows without operators', async () => {
    const picture = await drawn(socialCard(cardOf(facts([]), SITE)).svg);
    expect(isEmpty(picture, 350, 550)).toBe(true);
    expect(picture.colours({ top: 230, bottom: 340 })).toBeGreaterThan(3);
  });

  test('uses only the given colors', () => {
    const colours = DEFAULT_COLOURS.dark;
    for (const names of [FIVE, FIVE.slice(3), []]) {
      const seen = cardIn(cardOf(facts(names), SITE), colours).svg.match(/#[0-9a-f]{6}/g) ?? [];
      const known: string[] = Object.values(colours);
      expect(seen.filter((colour) => !known.includes(colour))).toEqual([]);
    }
  });
});
