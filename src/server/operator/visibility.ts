import type { Operator } from '#db/operators.ts';
import { aliasOf, isAlias } from '#core/domain/account/codename.ts';
import { visibilityOf } from '#core/domain/board/visibility.ts';
import type { AppContext, Board } from '../context.ts';
import { keyedHash, readSecret } from '../process/secrets.ts';
import { operatorOf } from './operator.ts';

export type VisibilityChange = Partial<
  Pick<Operator, 'codename' | 'data_opt_out' | 'privacy_mode'>
>;

/**
 * Changes an operator's visibility, and enters that in the log if the log has entries of the account. Each change of
 * the privacy mode starts a new alias. Call it inside a transaction. After the commit, call
 * `publications.publishNow()` to publish the change.
 */
export function changeVisibility(ctx: Board, operator_id: number, change: VisibilityChange): void {
  const before = operatorOf(ctx, operator_id);
  const { privacy_mode = before.privacy_mode } = change;
  const switched = privacy_mode !== before.privacy_mode;
  const anonymity_epoch = before.anonymity_epoch + (switched ? 1 : 0);
  setSeenAs(ctx, { ...before, ...change, anonymity_epoch });
  if (before.log_index > 0) enterVisibility(ctx, operator_id);
}

/** Stores an operator's visibility, which depends on the privacy mode and the admin. Call it inside a transaction. */
export function setSeenAs({ store, now }: Board, operator: Operator): void {
  const { id, codename, privacy_mode, data_opt_out, anonymity_epoch, hidden_at } = operator;
  const alias = ownAlias({ store, now }, operator);
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

/** Finds an operator by codename or alias, for admins. Also finds hidden operators by their alias. */
export function operatorCalled(board: Board, name: string): Operator | undefined {
  const { operators } = board.store;
  const known = operators.byCodename(name) ?? operators.byPublicName(name);
  if (known || !isAlias(name)) return known;
  return operators.hidden().find((operator) => ownAlias(board, operator) === name);
}

function ownAlias(
  { store, now }: Board,
  { public_id, anonymity_epoch }: Pick<Operator, 'anonymity_epoch' | 'public_id'>,
): string {
  const secret = readSecret(store, 'aliases', now());
  return aliasOf(keyedHash(secret, `${public_id}/${anonymity_epoch}`));
}

/** Enters an operator's visibility in the log. The first entry introduces the account to the log. */
export function enterVisibility(ctx: Board, operator_id: number): void {
  const { public_id, codename, privacy_mode, data_opt_out } = operatorOf(ctx, operator_id);
  const { log_index } = ctx.store.log.append({
    kind: 'visibility',
    operator_id,
    payload: { operator: public_id, codename, privacy_mode, data_opt_out: data_opt_out === 1 },
    now: ctx.now(),
  });
  ctx.store.operators.touch(operator_id, log_index);
}

/**
 * Counts a change that makes more of an operator visible. Such changes are limited because each one publishes the
 * board immediately. Hiding is not counted, because nobody can hide repeatedly without showing something in between.
 */
export function countShowing({ limiter }: Pick<AppContext, 'limiter'>, operator_id: number): void {
  limiter.take('visibility', String(operator_id));
  limiter.take('visibility_day', String(operator_id));
}
