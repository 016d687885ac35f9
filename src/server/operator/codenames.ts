import { isReserved } from '#core/domain/account/codename.ts';
import { DAY_MS } from '#core/domain/counting/day.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import type { Board } from '../context.ts';
import { keyedHash, readSecret } from '../process/secrets.ts';

const KEPT_DAYS = 90;

/**
 * Whether an operator may take a codename. It must not be a reserved word, the current or a recent codename of
 * another operator, or a codename of an account that was deleted recently.
 */
export function isCodenameFree(board: Board, codename: string, operator_id?: number): boolean {
  if (isReserved(codename)) return false;
  const { store } = board;
  const now = board.now().toISOString();
  const owner = store.operators.byCodename(codename)?.id ?? operator_id;
  const formerOwner = store.codenames.former(codename, now)?.operator_id ?? operator_id;
  if (owner !== operator_id || formerOwner !== operator_id) return false;
  return !store.codenames.isReserved(reservationHash(board, codename), now);
}

/** The error for a codename that {@linkcode isCodenameFree} rules out. It does not reveal the reason. */
export function codenameTaken(codename: string): DomainError {
  return new DomainError('codename_taken', `The codename "${codename}" is taken or reserved`);
}

/** The current name for a former one; null if there is none that the public may see. */
export function formerName({ store, now }: Board, codename: string): string | null {
  if (store.operators.byCodename(codename)) return null;
  const former = store.codenames.former(codename, now().toISOString());
  const operator = former && store.operators.byId(former.operator_id);
  return operator?.is_open === 1 && operator.log_index > 0 ? operator.codename : null;
}

/**
 * The current name that an unknown name refers to: a former name, or a name with capitals. Null if there is none that
 * the public may see.
 */
export function nameMeant(board: Board, asked: string): string | null {
  const codename = asked.toLowerCase();
  const operator = codename === asked ? undefined : board.store.operators.byCodename(codename);
  if (operator?.is_open === 1 && operator.log_index > 0) return codename;
  return formerName(board, codename);
}

export function currentName(board: Board, codename: string): string {
  return formerName(board, codename) ?? codename;
}

/** Gives up a name. It redirects to the operator's new name for a while, and nobody else can take it. */
export function giveUpCodename(board: Board, codename: string, operator_id: number): void {
  const until = keptUntil(board);
  board.store.codenames.addFormer({ codename, operator_id, until });
}

/** Reserves the name of a deleted account as a hash, so that nobody can impersonate its owner. */
export function reserveCodename(board: Board, codename: string): void {
  board.store.codenames.reserve(reservationHash(board, codename), keptUntil(board));
}

function reservationHash({ store, now }: Board, codename: string): string {
  return keyedHash(readSecret(store, 'codenames', now()), codename);
}

function keptUntil({ now }: Board): string {
  return new Date(now().getTime() + KEPT_DAYS * DAY_MS).toISOString();
}
