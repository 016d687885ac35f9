import { timingSafeEqual } from 'node:crypto';
import { MailKind } from '#core/schema/member-mail.ts';
import type { AppContext } from '../context.ts';
import { keyedHash, readSecret } from '../process/secrets.ts';
import { keepKinds } from './mail-choices.ts';

interface Subscription {
  operator_id: number;
  kind: MailKind;
}

/**
 * The token in the links of one kind of email to one account. It only lets its holder turn that kind off, works
 * forever, and is not stored.
 */
export function unsubscribeToken(ctx: AppContext, public_id: string, kind: MailKind): string {
  return `${kind}.${public_id}.${macOf(ctx, public_id, kind)}`;
}

/** Finds the subscription of a token; null if the token is not valid or the account was deleted. */
export function readUnsubscribe(ctx: AppContext, token: string): Subscription | null {
  const [name, public_id = '', mac = ''] = token.split('.');
  const kind = MailKind.safeParse(name);
  if (!kind.success) return null;
  const expected = Buffer.from(macOf(ctx, public_id, kind.data));
  const given = Buffer.from(mac);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  const operator = ctx.store.operators.byPublicId(public_id);
  return operator ? { operator_id: operator.id, kind: kind.data } : null;
}

/** Turns a kind off. Returns false if the token is not valid. Succeeds if the kind is off already. */
export function unsubscribe(ctx: AppContext, token: string): boolean {
  const found = readUnsubscribe(ctx, token);
  if (!found) return false;
  const row = ctx.store.memberMail.ofOperator(found.operator_id);
  if (row) {
    keepKinds(
      ctx,
      row,
      row.kinds.filter((kind) => kind !== found.kind),
    );
  }
  return true;
}

function macOf({ store, now }: AppContext, public_id: string, kind: MailKind): string {
  return keyedHash(readSecret(store, 'unsubscribe', now()), `${public_id} ${kind}`);
}
