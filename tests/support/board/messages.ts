/** Messages from operators, and the addresses to which answers go. */
import { sealAddress } from '#server/member-mail/mail-key.ts';
import { contactAdmin } from '#server/messages/contact-admin.ts';
import { setRole } from '#server/operator/set-role.ts';
import type { Actor } from '#server/process/admin-actions.ts';
import type { TestContext } from './context.ts';
import { anOperator } from './context.ts';

export const TEXT = { subject: 'A lost device', message: 'May it be forgotten?\nAda' };

/** An operator with a message. Returns the ID of the message. */
export function aMessage(ctx: TestContext, codename = 'ada', text = TEXT): string {
  const { id } = ctx.store.operators.byCodename(codename) ?? anOperator(ctx, codename);
  return contactAdmin(ctx, id, text).id;
}

/** Turns on email for an operator, with a confirmed address. */
export function confirmAddress(ctx: TestContext, codename: string, address: string): void {
  const operator = ctx.store.operators.byCodename(codename);
  if (!operator) throw new Error('There is no such operator');
  const now = ctx.now().toISOString();
  ctx.store.memberMail.put({
    operator_id: operator.id,
    address: sealAddress(ctx.config, address, operator.public_id),
    kinds: ['weekly'],
    silent_days: 7,
    since: now,
    confirm_hash: null,
    confirm_until: null,
    confirmed_at: now,
    problem: null,
    problem_at: null,
  });
}

/** An admin who acts on pages. */
export function anActor(ctx: TestContext, codename: string): Actor {
  const { id } = anOperator(ctx, codename);
  setRole(ctx, { name: codename, role: 'admin' });
  return { operator_id: id, via: 'page' };
}
