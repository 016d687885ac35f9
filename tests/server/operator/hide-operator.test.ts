import { describe, expect, test } from 'vitest';
import { PrivacyMode } from '#core/schema/record.ts';
import { hideOperator } from '#server/operator/hide-operator.ts';
import { readMe } from '#server/board/me.ts';
import { readProfile, readShownAvatar } from '#server/operator/own-profile.ts';
import { changeVisibility } from '#server/operator/visibility.ts';
import { NOW } from '#tests/support/board/builders.ts';
import { anActive, tenDays } from '#tests/support/board/boards.ts';
import {
  type TestContext,
  anOperator,
  dumpOf,
  publish,
  testContext,
} from '#tests/support/board/context.ts';
import { refusal } from '#tests/support/http/refusal.ts';

const idOf = (ctx: TestContext) => ctx.store.operators.byCodename('ada')?.id ?? 0;

function change(ctx: TestContext, kind: 'hide' | 'unhide', codename = 'ada') {
  return hideOperator(ctx, { kind, name: codename, reason: `a reason to ${kind}` });
}

function aBoard(): TestContext {
  const ctx = testContext();
  anActive(ctx, 'ada', tenDays({ output: 20_000 }));
  anActive(ctx, 'bob', tenDays());
  return ctx;
}

describe('hideOperator()', () => {
  test('removes an operator from the board and restores them unchanged', () => {
    const ctx = aBoard();
    const places = () => {
      const board = publish(ctx).window('30d');
      return ['ada', 'bob'].map((name) => board.find('yield', name));
    };
    const before = places();

    change(ctx, 'hide');
    const hidden = places();
    change(ctx, 'unhide');

    expect(before).toMatchObject([{ rank: 1 }, { rank: 2 }]);
    expect(hidden).toMatchObject([null, { rank: 1 }]);
    expect(places()).toEqual(before);
  });

  test.each(PrivacyMode.options)(
    'hides in the mode %s, and later mode changes show nothing',
    (mode) => {
      const ctx = aBoard();
      const seen = () => {
        const { public_name, is_open } = ctx.store.operators.byId(idOf(ctx)) ?? {};
        return [public_name, is_open];
      };
      ctx.store.transaction(() => changeVisibility(ctx, idOf(ctx), { privacy_mode: mode }));
      const before = seen();
      change(ctx, 'hide');
      expect(seen()).toEqual([null, 0]);

      ctx.store.transaction(() => changeVisibility(ctx, idOf(ctx), { privacy_mode: 'private' }));
      ctx.store.transaction(() => changeVisibility(ctx, idOf(ctx), { privacy_mode: 'identified' }));
      expect(seen()).toEqual([null, 0]);

      ctx.store.transaction(() => changeVisibility(ctx, idOf(ctx), { privacy_mode: mode }));
      change(ctx, 'unhide');
      // Each change of mode starts a new alias.
      expect(seen()[1]).toBe(before[1]);
      expect(seen()[0] === null).toBe(before[0] === null);
    },
  );

  test('shows the owner the reason and advice, and everyone the number', () => {
    const ctx = aBoard();
    change(ctx, 'hide');
    const { moderation } = publish(ctx);

    const me = readMe(ctx, { operator_id: idOf(ctx), device_id: null });

    expect(moderation).toEqual({ held_submissions: 0, hidden_operators: 1 });
    expect(me.standings[0]?.reasons[0]).toMatchObject({
      code: 'hidden',
      required: null,
      actual: null,
    });
    expect(me.notices).toMatchObject([
      { kind: 'hidden', submission: null, reason: 'a reason to hide', checks: [] },
    ]);
    expect(me.notices[0]?.advice).toContain('/settings/data#contact');
    const [event] = ctx.store.accountEvents.ofOperator(idOf(ctx));
    expect(event).toMatchObject({ kind: 'account_hidden', detail: 'a reason to hide' });
  });

  test('hides the picture too', () => {
    const ctx = aBoard();
    const hash = 'a'.repeat(64);
    const picture = { hash, body: new Uint8Array([1]), updated_at: NOW };
    ctx.store.avatars.set({ operator_id: idOf(ctx), ...picture });
    ctx.store.transaction(() => changeVisibility(ctx, idOf(ctx), { privacy_mode: 'identified' }));
    const seen = () => [readShownAvatar(ctx, hash), readProfile(ctx, idOf(ctx)).avatar_url];
    expect(seen()).not.toContain(null);

    change(ctx, 'hide');

    expect(seen()).toEqual([null, null]);
  });

  test('hides an account without submissions, without adding it to the log', () => {
    const ctx = testContext();
    anOperator(ctx, 'ada');

    const log_index = change(ctx, 'hide');

    expect(ctx.store.log.at(log_index)?.kind).toBe('hide');
    expect(ctx.store.operators.byCodename('ada')).toMatchObject({
      log_index: 0,
      public_name: null,
    });
  });

  test.each([
    ['empty', ''],
    ['blank', ' '],
    ['of two lines', 'two\nlines'],
    ['with a bidi mark', 'a\u202e'],
    ['too long', 'x'.repeat(301)],
  ])('rejects a reason that is %s, because the log would keep it permanently', (_, reason) => {
    const ctx = aBoard();
    const before = dumpOf(ctx);

    expect(() => hideOperator(ctx, { kind: 'hide', name: 'ada', reason })).toThrow(
      refusal('validation_failed'),
    );
    expect(dumpOf(ctx)).toEqual(before);
  });

  test('finds anonymous operators by their alias, and can show them again by it', () => {
    const ctx = aBoard();
    ctx.store.transaction(() => changeVisibility(ctx, idOf(ctx), { privacy_mode: 'anonymous' }));
    const alias = ctx.store.operators.byId(idOf(ctx))?.public_name ?? '';

    change(ctx, 'hide', alias);
    expect(ctx.store.operators.byId(idOf(ctx))?.public_name).toBeNull();
    change(ctx, 'unhide', alias);

    expect(ctx.store.operators.byId(idOf(ctx))?.public_name).toBe(alias);
    expect(ctx.store.auditLog.newest(2).map(({ subject }) => subject)).toEqual(['ada', 'ada']);
  });

  test('rejects repetitions and unknown names, and changes nothing', () => {
    const ctx = aBoard();
    const fresh = dumpOf(ctx);
    expect(() => change(ctx, 'unhide')).toThrow(refusal('state_conflict'));
    expect(() => change(ctx, 'hide', 'nobody')).toThrow(refusal('not_found'));
    expect(dumpOf(ctx)).toEqual(fresh);

    change(ctx, 'hide');
    const hidden = dumpOf(ctx);
    expect(() => change(ctx, 'hide')).toThrow(refusal('state_conflict'));
    expect(dumpOf(ctx)).toEqual(hidden);
  });
});
