import type { Operator } from '#db/operators.ts';
import { aliasOf } from '#core/domain/codename.ts';
import { visibilityOf } from '#core/domain/visibility.ts';
import type { AppContext } from './context.ts';
import { keyedHash, readSecret } from './identity/secrets.ts';
import { operatorOf } from './operator.ts';

/** What both a server and the keeper's process have. */
type Board = Pick<AppContext, 'now' | 'store'>;

/** What operators may change about how they are seen. */
export type VisibilityChange = Partial<
  Pick<Operator, 'codename' | 'data_opt_out' | 'privacy_mode'>
>;

/**
 * Changes how an operator is seen, and enters that in the log if the log knows the account. Each change
 * of the privacy mode begins another alias. Call it inside a transaction; once that is durable, the
 * caller publishes with `ctx.publications.publishNow()` what everybody sees of it.
 *
 * @throws {DomainError} `not_found` if the account was deleted meanwhile.
 */
export function changeVisibility(
  ctx: AppContext,
  operator_id: number,
  change: VisibilityChange,
): void {
  const before = operatorOf(ctx, operator_id);
  const { privacy_mode = before.privacy_mode } = change;
  const switched = privacy_mode !== before.privacy_mode;
  const anonymity_epoch = before.anonymity_epoch + (switched ? 1 : 0);
  setSeenAs(ctx, { ...before, ...change, anonymity_epoch });
  if (before.log_index > 0) enterVisibility(ctx, operator_id);
}

/** Stores how an operator is seen, as its mode and the keeper have it. Call it inside a transaction. */
export function setSeenAs({ store, now }: Board, operator: Operator): void {
  const { id, codename, privacy_mode, data_opt_out, anonymity_epoch, hidden_at } = operator;
  const secret = readSecret(store, 'aliases', now());
  const alias = aliasOf(keyedHash(secret, `${operator.public_id}/${anonymity_epoch}`));
  const seen = visibilityOf(privacy_mode, { codename, alias, isHidden: hidden_at !== null });
  const { public_name, is_open } = seen;
  store.operators.setSeenAs({
    id,
    codename,
    privacy_mode,
    data_opt_out,
    anonymity_epoch,
    public_name,
    is_open: is_open ? 1 : 0,
    hidden_at,
  });
}

/** Enters in the log how an operator is seen; from the first time on the log knows the account. */
export function enterVisibility(ctx: AppContext, operator_id: number): void {
  const { public_id, codename, privacy_mode, data_opt_out } = operatorOf(ctx, operator_id);
  const { log_index } = ctx.store.log.append({
    kind: 'visibility',
    operator_id,
    payload: { operator: public_id, codename, privacy_mode, data_opt_out: data_opt_out === 1 },
    now: ctx.now(),
  });
  ctx.store.operators.touch(operator_id, log_index);
}
