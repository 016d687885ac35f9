import { describe, expect, test } from 'vitest';
import { auditFilter } from '#core/domain/account/audit-filter.ts';
import { auditChoices, readAuditLog } from '#server/admin-pages/audit.ts';
import { hideOperator } from '#server/operator/hide-operator.ts';
import { BOARD, audit } from '#server/process/admin-actions.ts';
import { anOperator, testContext } from '#tests/support/board/context.ts';

/** A log with an action of each kind of actor. */
function aLog() {
  const ctx = testContext();
  const ada = { operator_id: anOperator(ctx, 'ada').id, via: 'page' } as const;
  const bob = { operator_id: anOperator(ctx, 'bob').id, via: 'page' } as const;
  anOperator(ctx, 'eve');
  const at = (time: string) => (ctx.clock.nowMs = Date.parse(time));
  at('2026-03-09T23:59:59.999Z');
  hideOperator(ctx, { kind: 'hide', name: 'eve', reason: 'Spam', by: ada });
  at('2026-03-10T00:00:00.000Z');
  hideOperator(ctx, { kind: 'unhide', name: 'eve', reason: 'Not spam', by: bob });
  at('2026-03-10T23:59:59.999Z');
  hideOperator(ctx, { kind: 'hide', name: 'bob', reason: 'Asked for it' });
  at('2026-03-11T00:00:00.000Z');
  const about = { subject: '/backups/1', operator_id: null, reason: null };
  audit(ctx.store, { action: 'backup', ...about, now: ctx.now(), by: BOARD });
  return ctx;
}

describe('readAuditLog()', () => {
  test.each([
    [{}, 'backup, hide bob, unhide eve, hide eve'],
    [{ who: 'ada' }, 'hide eve'],
    [{ who: 'Bob' }, 'unhide eve'],
    [{ who: 'ad' }, ''],
    [{ via: 'command' }, 'hide bob'],
    [{ via: 'board' }, 'backup'],
    [{ action: 'hide' }, 'hide bob, hide eve'],
    [{ subject: 'ev' }, 'unhide eve, hide eve'],
    [{ subject: 'backups' }, 'backup'],
    [{ since: '2026-03-10' }, 'backup, hide bob, unhide eve'],
    [{ until: '2026-03-10' }, 'hide bob, unhide eve, hide eve'],
    [{ since: '2026-03-10', until: '2026-03-10' }, 'hide bob, unhide eve'],
    [{ action: 'hide', subject: 'eve', who: 'ada', via: 'page', until: '2026-03-09' }, 'hide eve'],
    [{ who: "' OR 1=1 --" }, ''],
  ])('with %j lists %s', (given, expected) => {
    const { entries, next } = readAuditLog(aLog(), auditFilter(given), null);
    const texts = entries.map(({ action, codename }) => [action, codename].join(' ').trim());
    expect([texts.join(', '), next]).toEqual([expected, null]);
  });

  test('continues before an entry', () => {
    const ctx = aLog();
    const [, second] = ctx.store.auditLog.newest(2);
    const { entries } = readAuditLog(ctx, auditFilter({ action: 'hide' }), second?.id ?? 0);
    expect(entries.map(({ subject }) => subject)).toEqual(['eve']);
  });
});

test('auditChoices() has what the log has', () => {
  expect(auditChoices(aLog())).toEqual({
    actions: ['backup', 'hide', 'unhide'],
    actors: ['ada', 'bob'],
  });
});
