import { describe, expect, test } from 'vitest';
import type { Role } from '#core/schema/account.ts';
import { deleteAccount } from '#server/account/delete-account.ts';
import { setRole } from '#server/operator/set-role.ts';
import { anOperator, publish, testContext } from '#tests/support/board/context.ts';
import { refusal } from '#tests/support/http/refusal.ts';

function aBoardWith(roles: Readonly<Record<string, Role>>) {
  const ctx = testContext();
  const ids = Object.entries(roles).map(([name, role]) => {
    const { id } = anOperator(ctx, name);
    if (role !== 'operator') setRole(ctx, { name, role });
    return [name, id] as const;
  });
  const roleOf = (name: string) => ctx.store.operators.byCodename(name)?.role;
  return { ctx, roleOf, ids: Object.fromEntries(ids) as Record<string, number> };
}

describe('setRole()', () => {
  test('stores the role, the audit entry with who acted, and an event of the account', () => {
    const { ctx, roleOf, ids } = aBoardWith({ ada: 'admin', eve: 'operator' });
    const by = { operator_id: ids['ada'] ?? 0, via: 'page' } as const;

    expect(setRole(ctx, { name: 'eve', role: 'moderator', by })).toEqual({
      codename: 'eve',
      earlier: 'operator',
    });

    expect(roleOf('eve')).toBe('moderator');
    const [entry, first] = ctx.store.auditLog.newest(2);
    expect(entry).toMatchObject({ action: 'role', subject: 'eve', actor: 'ada', via: 'page' });
    expect(first).toMatchObject({ subject: 'ada', actor: null, via: 'command' });
    expect(ctx.store.accountEvents.ofOperator(ids['eve'] ?? 0)).toMatchObject([
      { kind: 'role_changed', detail: 'operator → moderator' },
    ]);
  });

  test('rejects an unknown name, and a role that the account already has', () => {
    const { ctx } = aBoardWith({ ada: 'admin' });

    expect(() => setRole(ctx, { name: 'nobody', role: 'admin' })).toThrow(
      refusal('codename_unknown'),
    );
    expect(() => setRole(ctx, { name: 'ada', role: 'admin' })).toThrow(refusal('state_conflict'));
  });

  test.each(['operator', 'moderator'] as const)('keeps the last admin from becoming %s', (role) => {
    const { ctx, roleOf } = aBoardWith({ ada: 'admin', eve: 'moderator' });

    expect(() => setRole(ctx, { name: 'ada', role })).toThrow(refusal('last_admin'));
    expect(roleOf('ada')).toBe('admin');
    setRole(ctx, { name: 'eve', role: 'admin' });
    setRole(ctx, { name: 'ada', role });
    expect(roleOf('ada')).toBe(role);
  });
});

describe('deleteAccount()', () => {
  test('rejects the last admin, and works once there is another', async () => {
    const { ctx, ids, roleOf } = aBoardWith({ ada: 'admin', eve: 'operator' });
    publish(ctx);
    const ada = ids['ada'] ?? 0;

    await expect(deleteAccount(ctx, ada, 'ada')).rejects.toThrow(refusal('last_admin'));
    setRole(ctx, { name: 'eve', role: 'admin', by: { operator_id: ada, via: 'page' } });
    await deleteAccount(ctx, ada, 'ada');

    expect(roleOf('ada')).toBeUndefined();
    expect(ctx.store.auditLog.newest(1)).toMatchObject([
      { subject: 'eve', actor: null, via: 'page' },
    ]);
  });
});
