import { describe, expect, test } from 'vitest';
import { DEFAULT_COLOURS } from '#core/domain/board/colours.ts';
import type { ChallengeDetail } from '#core/contract/challenges.ts';
import {
  challengeCardOf,
  podiumCardOf,
  recordCardOf,
} from '#components/challenge/challenge-card-words.ts';
import { podiumCard } from '../../src/charts/podium-card.ts';
import { drawn } from '../support/pages/drawn.ts';

const SITE = { name: 'Opbench', baseUrl: 'https://bench.example.org' };

const placesOf = (...names: (string | null)[]) =>
  names.map((codename, at) => {
    const low = 8 / (at + 1);
    const shown = { value: 10 / (at + 1), conservative: low, interval: [low, 12 / (at + 1)] };
    const nothing = { value: null, conservative: null, interval: null };
    return { rank: at + 1, codename, display_name: null, ...(codename === null ? nothing : shown) };
  });

function aChallenge(over: object = {}): ChallengeDetail {
  return {
    ...{ id: 'spring', title: 'Spring sprint', metric: 'leverage', tool: null, status: 'active' },
    ...{ first_day: '2026-03-01', last_day: '2026-03-14', frozen_at: null },
    ...{ total: 2, unranked_total: 0, entries: placesOf('ada', 'bob'), unranked: [], ...over },
  } as unknown as ChallengeDetail;
}

const FINAL = { status: 'complete', frozen_at: '2026-03-17T00:00:00.000Z' };

describe('podiumCardOf()', () => {
  test('has the first three places, also empty ones', () => {
    const entries = placesOf('ada', null, 'cay', 'dan');
    const card = podiumCardOf(aChallenge({ ...FINAL, total: 4, entries }), SITE);
    expect(card).toMatchObject({
      title: 'Spring sprint',
      total: 'Final, 4 ranked operators',
      address: 'bench.example.org/challenges/spring',
      day: '1 Mar to 14 Mar 2026',
    });
    expect(card?.steps).toEqual([
      { rank: 1, name: 'ada', value: 'Leverage 8.0' },
      { rank: 2, name: 'No longer shown', value: '' },
      { rank: 3, name: 'cay', value: 'Leverage 2.7' },
    ]);
  });

  test('is null before the end, and without public places', () => {
    expect(podiumCardOf(aChallenge(), SITE)).toBeNull();
    expect(podiumCardOf(aChallenge({ ...FINAL, entries: placesOf(null) }), SITE)).toBeNull();
    expect(podiumCardOf(aChallenge({ ...FINAL, entries: [] }), SITE)).toBeNull();
  });
});

describe('challengeCardOf()', () => {
  test('has the provisional ranks', () => {
    const card = challengeCardOf(aChallenge(), SITE);
    expect(card.total).toBe('Provisional, 2 ranked operators');
    expect(card.rows.map(({ rank, name, value }) => [rank, name, value])).toEqual([
      ['1', 'ada', '8.0'],
      ['2', 'bob', '4.0'],
    ]);
    expect(card.notes).toEqual(['Ranked by leverage, all tools']);
  });

  test('says what it is about before the first rank', () => {
    const empty = { total: 0, entries: [], unranked_total: 3 };
    const card = challengeCardOf(aChallenge(empty), SITE);
    expect([card.total, card.rows, card.ticks]).toEqual(['Running', [], null]);
    expect(card.notes).toEqual([
      'Ranked by leverage, all tools, 1 Mar 2026 to 14 Mar 2026',
      '3 operators have tokens in these days.',
    ]);
  });
});

test('recordCardOf() has the holder, the value and its days', () => {
  const record = {
    ...{ codename: 'ada', display_name: 'Ada', value: 5_481, interval: [5_481, 8_862] },
    ...{ first_day: '2026-02-01', last_day: '2026-03-02', achieved_at: '2026-03-03T09:00:00.000Z' },
    submission: null,
  };
  const asked = { metric: 'yield', record } as Parameters<typeof recordCardOf>[0];
  expect(recordCardOf(asked, SITE)).toMatchObject({
    name: 'Ada',
    rank: 'Yield record',
    value: '5,500',
    range: '1 Feb 2026 to 2 Mar 2026',
    address: 'bench.example.org/hall-of-signal/yield',
    day: 'Set 3 Mar 2026',
  });
});

test('podiumCard() draws the first place highest, in the middle', async () => {
  const entries = placesOf('ada', 'w'.repeat(60), 'cay');
  const card = podiumCardOf(aChallenge({ ...FINAL, entries }), SITE);
  if (!card) throw new Error('No podium');
  const picture = await drawn(podiumCard(card, DEFAULT_COLOURS.light).svg);

  expect([picture.width, picture.height]).toEqual([1200, 630]);
  // Only the first step and its name are this high.
  expect(picture.colours({ top: 220, bottom: 260 })).toBeGreaterThan(5);
  expect(picture.colours({ top: 185, bottom: 205 })).toBe(1);
});
