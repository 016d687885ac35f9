import { describe, expect, test } from 'vitest';
import { SETUP_TTL_MS, createSetupLink, readSetup, setUp } from '#server/identity/sign-in/setup.ts';
import { setRole } from '#server/operator/set-role.ts';
import { BoardSettings } from '#server/process/board-settings.ts';
import { DEFAULT_SITE } from '#server/config/site.ts';
import { dumpOf, anOperator, testContext } from '#tests/support/board/context.ts';
import { refusal } from '#tests/support/http/refusal.ts';

const STRANGER = { cookieHeader: null, userAgent: null };
const input = (codename: string, settings = {}) => ({ codename, settings });

function aStart() {
  const ctx = testContext();
  const link = createSetupLink(ctx) ?? '';
  return { ctx, token: new URL(link).searchParams.get('token') ?? '' };
}

describe('createSetupLink()', () => {
  test("stores only the link's hash, and replaces an earlier link", () => {
    const { ctx, token } = aStart();

    expect(token).toMatch(/^[\w-]{43}$/);
    expect(JSON.stringify(dumpOf(ctx))).not.toContain(token);
    expect(readSetup(ctx, token)).toBe('ready');
    createSetupLink(ctx);
    expect(readSetup(ctx, token)).toBe('unknown');
  });

  test('returns null on a board with accounts', () => {
    const ctx = testContext();
    anOperator(ctx, 'ada');

    expect(createSetupLink(ctx)).toBe(null);
  });
});

describe('setUp()', () => {
  test('makes a new account the admin, signs it in and audits it', async () => {
    const { ctx, token } = aStart();

    const cookie = await setUp(ctx, token, input('ada'), STRANGER);

    const session = await ctx.sessions.read(cookie.split(';')[0] ?? '');
    const ada = ctx.store.operators.byCodename('ada');
    expect(session?.operator_id).toBe(ada?.id);
    expect(ada).toMatchObject({ role: 'admin', codename_confirmed: 1 });
    expect(ctx.store.auditLog.newest(1)).toMatchObject([
      { action: 'role', subject: 'ada', actor: 'ada', via: 'setup' },
    ]);
    expect(readSetup(ctx, token)).toBe('done');
    await expect(setUp(ctx, token, input('eve'), STRANGER)).rejects.toThrow(
      refusal('setup_link_invalid'),
    );
    expect(ctx.store.operators.byCodename('eve')).toBeUndefined();
  });

  test('makes the signed-in account the admin', async () => {
    const { ctx, token } = aStart();
    const { id } = anOperator(ctx, 'grace');
    const cookieHeader = (await ctx.sessions.start(id)).split(';')[0] ?? '';

    await setUp(ctx, token, input(''), { cookieHeader, userAgent: null });

    expect(ctx.store.operators.withRole()).toMatchObject([{ codename: 'grace', role: 'admin' }]);
    expect(ctx.store.operators.total()).toBe(1);
  });

  test('rejects an expired link, a wrong one, and any link once there is an admin', async () => {
    const { ctx, token } = aStart();
    const other = aStart();
    anOperator(other.ctx, 'eve');
    setRole(other.ctx, { name: 'eve', role: 'admin' });

    ctx.clock.nowMs += SETUP_TTL_MS;
    expect(readSetup(ctx, token)).toBe('expired');
    expect(readSetup(ctx, 'x')).toBe('unknown');
    for (const [board, text] of [
      [ctx, token],
      [ctx, 'x'],
      [other.ctx, other.token],
    ] as const) {
      await expect(setUp(board, text, input('ada'), STRANGER)).rejects.toThrow(
        refusal('setup_link_invalid'),
      );
    }
  });

  test.each([
    ['codename_taken', input('admin')],
    ['validation_failed', input('A')],
    ['validation_failed', input('ada', { read: 'nobody' })],
    ['validation_failed', input('ada', { colour: 'red' })],
  ] as const)('throws %s, keeps nothing, and the link still works', async (code, wrong) => {
    const { ctx, token } = aStart();
    const before = dumpOf(ctx);

    await expect(setUp(ctx, token, wrong, STRANGER)).rejects.toThrow(refusal(code));
    expect(dumpOf(ctx)).toEqual(before);
    expect(readSetup(ctx, token)).toBe('ready');
  });
});

describe('the settings of a board', () => {
  test('are the given one, else the one chosen in the browser, else the default', () => {
    const ctx = testContext();
    const given = { name: { value: 'Given', source: 'board.toml' } } as const;
    const { access } = ctx.config;
    const settings = new BoardSettings(ctx.store, { givenSite: given, site: DEFAULT_SITE, access });
    const by = { operator_id: null, via: 'setup' } as const;

    settings.store({ name: 'Ignored', description: 'Chosen' }, { now: ctx.now(), by });
    expect(settings.get('description').source).toBe('default');
    settings.reload();

    expect(settings.get('name')).toEqual(given.name);
    expect(settings.get('description')).toEqual({ value: 'Chosen', source: 'browser' });
    expect(settings.get('read')).toEqual({ value: 'public', source: 'default' });
    expect(settings.get('join')).toEqual({ value: 'open', source: 'default' });
    expect(ctx.store.boardSettings.all().map(({ name }) => name)).toEqual(['description']);
  });
});
