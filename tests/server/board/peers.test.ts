import { beforeEach, describe, expect, test } from 'vitest';
import { Peers } from '#core/contract/peers.ts';
import { readOperatorPeers, readPeers, readyOperatorPeers } from '#server/board/peers.ts';
import { updateProfile } from '#server/operator/update-profile.ts';
import { anActive } from '#tests/support/board/boards.ts';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import {
  type TestContext,
  anOperator,
  execute,
  publish,
  testContext,
} from '#tests/support/board/context.ts';
import { refusal } from '#tests/support/http/refusal.ts';

let ctx: TestContext;

/** An operator ranked over 90 days, whose yield is 25 x 10^6 / input^2 x 10^4. */
function aRanked(codename: string, over: Parameters<typeof bucketsOfDays>[2] = {}) {
  anActive(ctx, codename, bucketsOfDays(20, '2026-02-10', over));
}

function callerOf(codename: string) {
  return { operator_id: ctx.store.operators.byCodename(codename)?.id ?? 0, device_id: null };
}

const readOf = (codename: string) => readPeers(ctx, callerOf(codename), { limit: 5 });
const names = ({ entries }: { entries: readonly { codename: string }[] }) =>
  entries.map(({ codename }) => codename);

beforeEach(() => {
  ctx = testContext();
  aRanked('ada', { input: 2000 });
  aRanked('grace', { input: 700 });
  aRanked('joan', { input: 2100 });
  aRanked('mary', { input: 700, tool: 'codex' });
  anActive(ctx, 'newcomer', bucketsOfDays(3, '2026-03-01'));
});

test('readyOperatorPeers() prepares peers once for each publication, and lets others work meanwhile', async () => {
  const publication = publish(ctx);
  const once = { ...ctx, publications: { ...ctx.publications, current: () => publication } };
  let isYielding = false;
  setImmediate(() => {
    isYielding = true;
  });
  await Promise.all([readyOperatorPeers(once), readyOperatorPeers(once)]);

  expect(isYielding).toBe(true);
  const prepared = publication.peers();
  expect(publication.peers()).toBe(prepared);
  const { size, ratios, tiers } = publish(ctx).peers().field;
  expect(prepared.field).toMatchObject({ size, ratios, tiers });
  await readyOperatorPeers(once);
  expect(publication.peers()).toBe(prepared);
});

describe('readPeers()', () => {
  test('compares with ranked operators, and names the board', () => {
    publish(ctx);

    const peers = readOf('ada');

    expect(Peers.parse(peers)).toEqual(peers);
    expect(peers).toMatchObject({
      ruleset: '2',
      window: '90d',
      as_of: '2026-03-10',
      codename: 'ada',
      class_tier: 'falls',
      reasons: [],
      complementary: { weakness: { leverage: { conservative: 354.873475045, rank: 3, total: 4 } } },
    });
    expect(names(peers.mentors)).toEqual(['grace', 'mary']);
    expect(names(peers.same_tier)).toEqual(['joan']);
    expect(peers.mentors.entries.map(({ same_main_tool }) => same_main_tool)).toEqual([
      true,
      false,
    ]);
    const [grace] = peers.mentors.entries;
    expect(grace).toMatchObject({ rank: 1, yield: 20408.1632653, tools: ['claude-code'] });
    expect(grace?.deltas?.total).toBeCloseTo(Math.log(20408.1632653 / 2500), 10);
  });

  test('counts only signed records', () => {
    const byHand = { tool: 'by-hand', input: 1_000_000 };
    anActive(ctx, 'ada', bucketsOfDays(20, '2026-02-10', byHand), 'self_reported');
    publish(ctx);

    expect(readOf('ada').class_tier).toBe('falls');
    const [first] = readOf('joan').same_tier.entries;
    expect(first).toMatchObject({ codename: 'ada', yield: 2500, tools: ['claude-code'] });
  });

  test('returns the missing requirements to unranked callers', () => {
    anOperator(ctx, 'nobody');
    publish(ctx);

    expect(readOf('newcomer')).toMatchObject({
      class_tier: 'unclassed',
      reasons: [
        { code: 'active_days_low', required: 14, actual: 3, detail: '3 of 14 active days' },
        { code: 'effective_days_low', required: 5, actual: 3 },
        { code: 'output_low', required: 50_000, actual: 30_000 },
      ],
      mentors: {
        empty_because: 'not_ranked',
        detail: expect.stringMatching(/not ranked/i) as string,
        entries: [],
      },
      same_tier: { empty_because: 'not_ranked', entries: [] },
      complementary: { empty_because: 'not_ranked', weakness: null, entries: [] },
    });
    expect(readOf('nobody').reasons.map(({ code }) => code)).toEqual([
      'active_days_low',
      'effective_days_low',
      'total_low',
      'output_low',
      'coverage_low',
      'metric_undefined',
    ]);
  });

  test('hides anonymous operators, but answers them; tells private ones that they are private', async () => {
    const { operator_id } = callerOf('grace');
    await updateProfile(ctx, operator_id, { privacy_mode: 'anonymous' });
    await updateProfile(ctx, callerOf('joan').operator_id, { privacy_mode: 'private' });
    publish(ctx);

    expect(JSON.stringify(readOf('ada'))).not.toMatch(/grace|anonymous-|joan/);
    expect(readOf('ada').complementary.weakness?.leverage).toMatchObject({ rank: 3, total: 3 });
    expect(readOf('grace')).toMatchObject({ codename: 'grace', class_tier: 'cataract' });
    expect(names(readOf('grace').same_tier)).toEqual(['mary']);
    expect(readOf('joan').reasons).toMatchObject([
      { code: 'private', required: null, actual: null },
    ]);
  });

  test('leaves out operators hidden by the admin, and tells them', () => {
    const hidden_at = ctx.now().toISOString();
    execute(
      ctx,
      `UPDATE operators SET hidden_at = '${hidden_at}', public_name = NULL, is_open = 0
      WHERE codename = 'grace'`,
    );
    publish(ctx);

    expect(names(readOf('ada').mentors)).toEqual(['mary']);
    expect(readOf('grace')).toMatchObject({
      class_tier: 'unclassed',
      reasons: [{ code: 'hidden', required: null, actual: null }],
      mentors: { empty_because: 'not_ranked' },
    });
  });

  test('throws not_found for a deleted account, service_unavailable before the first board', () => {
    expect(() => readOf('ada')).toThrow(refusal('service_unavailable'));
    publish(ctx);
    expect(() => readPeers(ctx, { operator_id: 99, device_id: null }, { limit: 5 })).toThrow(
      refusal('not_found'),
    );
  });
});

describe('readOperatorPeers()', () => {
  const readBy = (codename: string) => readOperatorPeers(ctx, codename, { limit: 1 });

  test("is the operator's own list, up to the requested number", () => {
    publish(ctx);

    expect(readBy('ada')).toEqual(readPeers(ctx, callerOf('ada'), { limit: 1 }));
    expect(names(readBy('ada').mentors)).toEqual(['grace']);
    expect(readBy('newcomer').mentors.empty_because).toBe('not_ranked');
  });

  test('throws not_found for operators without a page, or not on the board yet', async () => {
    publish(ctx);
    aRanked('later');
    execute(ctx, `UPDATE operators SET is_open = 0 WHERE codename = 'grace'`);

    for (const codename of ['unknown', 'later', 'grace']) {
      expect(() => readBy(codename)).toThrow(refusal('not_found'));
    }
  });
});
