import { describe, expect, test } from 'vitest';
import { type ChallengeChanges, editChallenge } from '#server/challenge/edit-challenge.ts';
import { cancelChallenge } from '#server/challenge/cancel-challenge.ts';
import { MARCH, addMarchChallenge } from '#tests/support/board/march-challenge.ts';
import { testContext } from '#tests/support/board/context.ts';
import { refusal } from '#tests/support/http/refusal.ts';

function aScene() {
  const ctx = testContext();
  addMarchChallenge(ctx);
  const edit = (changes: ChallengeChanges, now = ctx.now(), id = MARCH) =>
    editChallenge(ctx.store, id, { changes, ruleset: ctx.ruleset, now });
  return { ctx, edit, row: () => ctx.store.challenges.byId(MARCH) };
}

describe('editChallenge()', () => {
  test('changes only the given fields, and records it', () => {
    const { ctx, edit, row } = aScene();
    const before = row();
    edit({ title: 'New title', tool: 'codex' });

    expect(row()).toEqual({ ...before, title: 'New title', tool: 'codex' });
    expect(ctx.store.auditLog.newest(1)).toMatchObject([
      { action: 'challenge_edit', subject: MARCH },
    ]);
  });

  test('lets requirements follow new days, except those that the admin chose', () => {
    const { edit, row } = aScene();
    edit({ eligibility: { output_tokens: 77, stated_days: 0.8 } });
    const before = row()?.eligibility;
    edit({ last_day: '2026-03-13' });

    const chosen = { output_tokens: 77, stated_days: 0.8 };
    expect(row()?.eligibility).toMatchObject({ ...chosen, effective_days: 1 });
    expect(before?.effective_days).toBeGreaterThan(1);
  });

  test('rejects invalid terms and stores nothing', () => {
    const { edit, row } = aScene();
    const before = row();
    for (const changes of [{ title: '' }, { metric: 'speed' }, { last_day: '2026-03-11' }]) {
      expect(() => edit(changes)).toThrow(refusal('validation_failed') as Error);
    }
    expect(row()).toEqual(before);
  });

  test('rejects challenges that have started, are canceled or do not exist', () => {
    const { ctx, edit } = aScene();
    const started = new Date('2026-03-12T00:00:00Z');
    expect(() => edit({ title: 'x' }, started)).toThrow(/has started and cannot be changed/);
    expect(() => edit({ title: 'x' }, ctx.now(), 'other')).toThrow(refusal('not_found') as Error);
    cancelChallenge(ctx.store, { id: MARCH, reason: 'x', now: ctx.now() });
    expect(() => edit({ title: 'x' })).toThrow(/is canceled and cannot be changed/);
  });
});
