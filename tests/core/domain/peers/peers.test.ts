import { describe, expect, test } from 'vitest';
import { CLASS_TIERS, classTierOf } from '#core/domain/metrics/class-tier.ts';
import { exactMetrics } from '#core/domain/metrics/metrics.ts';
import { type PeerCandidate, type PeerField, peerFieldOf } from '#core/domain/peers/peer-field.ts';
import { findPeers } from '#core/domain/peers/peers.ts';
import { Mentor, PeerGroups } from '#core/schema/peer.ts';

type Some = Partial<PeerCandidate> & Pick<PeerCandidate, 'codename'>;

const COUNTS = { input: 1000, output: 2000, cache_write: 500, cache_read: 20_000 };

/** An operator of class river with a yield of 40, measured exactly. */
function someone({ counts = COUNTS, ...over }: Some): PeerCandidate {
  const { yield: value, leverage, velocity } = exactMetrics(counts);
  return {
    display_name: null,
    class_tier: classTierOf(value),
    isOpen: true,
    rank: 1,
    conservative: { leverage: leverage ?? Number.NaN, velocity: velocity ?? Number.NaN },
    tools: ['claude-code'],
    counts,
    ...over,
  };
}

/** Ranked candidates in the order of codenames. */
function fieldOf(candidates: readonly PeerCandidate[]): PeerField {
  const lowsBy = (side: 'leverage' | 'velocity') =>
    Float64Array.from(candidates, ({ conservative }) => conservative[side]);
  const conservative = { leverage: lowsBy('leverage'), velocity: lowsBy('velocity') };
  const rankedBy = (side: 'leverage' | 'velocity') =>
    conservative[side].filter((low) => !Number.isNaN(low)).sort((a, b) => b - a);
  return peerFieldOf({
    size: candidates.length,
    candidate: (at) => candidates[at] as PeerCandidate,
    tiers: Uint8Array.from(candidates, ({ class_tier }) => {
      return CLASS_TIERS.findIndex((tier) => tier === class_tier);
    }),
    isOpen: Uint8Array.from(candidates, ({ isOpen }) => (isOpen ? 1 : 0)),
    counts: Float64Array.from(
      candidates.flatMap(({ counts: { input, output, cache_read } }) => {
        return [input, output, cache_read ?? 0];
      }),
    ),
    conservative,
    toolLists: candidates.map(({ tools }) => tools),
    toolsOf: Uint32Array.from(candidates.keys()),
    ranked: { leverage: rankedBy('leverage'), velocity: rankedBy('velocity') },
  });
}

/** The peers of `me` among others. */
function peersAmong(others: readonly Some[], { limit = 5, me = {} as Partial<Some> } = {}) {
  const all = [someone({ codename: 'me', ...me }), ...others.map(someone)];
  all.sort((a, b) => (a.codename < b.codename ? -1 : 1));
  const index = all.findIndex(({ codename }) => codename === 'me');
  return PeerGroups.parse(findPeers(fieldOf(all), index, limit));
}

const names = (entries: readonly { codename: string }[]) => entries.map((one) => one.codename);

describe('mentors', () => {
  const above = { ...COUNTS, input: 300 };

  test('are one or two classes above, not more, equal or below', () => {
    const { mentors } = peersAmong([
      { codename: 'equal' },
      { codename: 'below', counts: { ...COUNTS, input: 4000 } },
      { codename: 'one', counts: above },
      { codename: 'two', counts: { ...COUNTS, input: 100 } },
      { codename: 'three', counts: { ...COUNTS, input: 40 } },
    ]);

    expect(mentors.empty_because).toBeNull();
    expect(mentors.entries.map(({ codename, classes_above }) => [codename, classes_above])).toEqual(
      [
        ['one', 1],
        ['two', 2],
      ],
    );
  });

  test('are described by the conservative yield, which decides the class', () => {
    expect(Mentor.description).toMatch(/classes above by conservative yield/);
    expect(Mentor.description).toMatch(/measured yield can be lower than the caller/);
  });

  test('are ordered by tools, then by the distance of ln(output / cache_read), then by name', () => {
    const { mentors } = peersAmong(
      [
        { codename: 'a-none', counts: above, tools: ['aider'] },
        { codename: 'b-some', counts: above, tools: ['aider', 'codex'] },
        { codename: 'c-far', counts: { ...above, output: 1500 } },
        { codename: 'd-near', counts: { ...above, output: 1900 }, tools: ['claude-code', 'aider'] },
        { codename: 'f-tie', counts: above },
        { codename: 'e-tie', counts: above },
      ],
      { me: { tools: ['claude-code', 'codex'] } },
    );

    expect(
      mentors.entries.map(({ codename, same_main_tool, shared_tools }) => {
        return [codename, same_main_tool, shared_tools.join()];
      }),
    ).toEqual([
      ['e-tie', true, 'claude-code'],
      ['f-tie', true, 'claude-code'],
      ['d-near', true, 'claude-code'],
      ['c-far', true, 'claude-code'],
      ['b-some', false, 'codex'],
    ]);
    expect(mentors.entries.map(({ distance }) => distance)).toEqual([
      0,
      0,
      expect.closeTo(Math.log(2000 / 1900), 10),
      expect.closeTo(Math.log(2000 / 1500), 10),
      0,
    ]);
  });

  test('have neither distance nor deltas for an operator without cache reads', () => {
    const { mentors } = peersAmong([{ codename: 'one', counts: { ...COUNTS, input: 8000 } }], {
      me: { counts: { ...COUNTS, cache_read: 0 } },
    });

    expect(mentors.entries).toMatchObject([
      {
        codename: 'one',
        distance: null,
        deltas: null,
        zero_share: { whose: 'caller', pillar: 'cache_read' },
      },
    ]);
  });
});

describe('the same class', () => {
  test('is ordered by the Aitchison distance of shares, whatever their sum', () => {
    const { same_tier } = peersAmong([
      { codename: 'far', counts: { ...COUNTS, output: 1000, cache_read: 40_000 } },
      { codename: 'near', counts: { ...COUNTS, output: 2100 } },
      {
        codename: 'twice',
        counts: { input: 2000, output: 4000, cache_write: 0, cache_read: 40_000 },
      },
      { codename: 'above', counts: { ...COUNTS, input: 300 } },
    ]);

    expect(names(same_tier.entries)).toEqual(['twice', 'near', 'far']);
    expect(same_tier.entries[0]?.distance).toBeLessThan(0.001);
    expect(same_tier.entries[2]?.distance).toBeCloseTo(Math.LN2 * Math.SQRT2, 3);
  });
});

describe('complementary', () => {
  test("are strongest in the metric in which the caller's percentile is lower", () => {
    const { complementary } = peersAmong([
      { codename: 'reader', counts: { ...COUNTS, cache_read: 90_000 } },
      { codename: 'writer', counts: { ...COUNTS, output: 3000 } },
      { codename: 'greatest', counts: { ...COUNTS, output: 9000, cache_read: 10_000 } },
    ]);

    expect(complementary.weakness).toEqual({
      metric: 'velocity',
      leverage: { conservative: 20, rank: 2, total: 4, percentile: null },
      velocity: { conservative: 2, rank: 3, total: 4, percentile: null },
    });
    expect(
      complementary.entries.map(({ codename, conservative }) => [codename, conservative]),
    ).toEqual([
      ['greatest', 9],
      ['writer', 3],
    ]);
  });

  test('do not count equals as below', () => {
    const { weakness } = peersAmong([
      { codename: 'slow', counts: { ...COUNTS, output: 1000 } },
      { codename: 'fast', counts: { ...COUNTS, output: 3000 } },
    ]).complementary;

    expect(weakness).toMatchObject({
      metric: 'leverage',
      leverage: { rank: 1, total: 3 },
      velocity: { rank: 2, total: 3 },
    });
  });

  test('have a percentile once twenty operators are ranked', () => {
    const others = Array.from({ length: 19 }, (_, at) => ({
      codename: `op-${String(at).padStart(2, '0')}`,
      counts: { ...COUNTS, output: 1000 + at },
    }));

    const { weakness } = peersAmong(others).complementary;

    expect(weakness).toMatchObject({ metric: 'leverage', velocity: { percentile: 0.95 } });
    expect(weakness?.leverage).toMatchObject({ rank: 1, percentile: 0 });
  });

  test('need to be ranked by velocity too', () => {
    const conservative = { leverage: 20, velocity: Number.NaN };
    expect(peersAmong([{ codename: 'one' }], { me: { conservative } }).complementary).toEqual({
      empty_because: 'velocity_not_ranked',
      detail: expect.stringContaining('velocity') as string,
      weakness: null,
      entries: [],
    });
  });
});

describe('a group', () => {
  test('says why it is empty', () => {
    const { mentors, same_tier, complementary } = peersAmong([]);

    expect([mentors.empty_because, same_tier.empty_because, complementary.empty_because]).toEqual([
      'nobody_above',
      'nobody_in_class',
      'nobody_stronger',
    ]);
    expect(mentors.detail).toMatch(/above/);
    const counts = { ...COUNTS, input: 1, cache_read: 200_000 };
    expect(peersAmong([], { me: { counts } }).mentors.empty_because).toBe('highest_class');
  });

  test('contains only operators with a public page, and at most the requested number', () => {
    const counts = { ...COUNTS, input: 300 };
    const others = ['op-a', 'op-b', 'op-c'].map((codename) => ({ codename, counts }));

    const { mentors } = peersAmong(
      [{ codename: 'op-a', counts, isOpen: false }, ...others.slice(1)],
      {
        limit: 1,
      },
    );

    expect(names(mentors.entries)).toEqual(['op-b']);
  });
});
