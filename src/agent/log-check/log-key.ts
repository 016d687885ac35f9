import { fromBase64Url } from '#core/domain/text/base64.ts';
import { takeApart } from '#core/domain/signing/dsse.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { parseJsonBytes } from '#core/domain/text/json.ts';
import { NoteError } from '#core/domain/tlog/note-error.ts';
import { LOG_KEY_PAYLOAD_TYPE, LogKeyStatement } from '#core/schema/log-payload.ts';
import type { Client } from '../board/client.ts';
import type { Identity } from '../state/keystore.ts';
import { type TrustedKey, trustedKey } from './kept-log.ts';
import { LogContradiction } from './log-alarm.ts';
import { PROOF_TOOLS } from './policies.ts';

/**
 * The key of a board's log, which the board's key must have signed.
 *
 * @returns Null if the board has none, because it is older.
 * @throws {LogContradiction} if the key that the board had at enrollment did not sign it.
 * @throws {Failure} if the request fails.
 */
export async function askLogKey(
  client: Client,
  { board, board_public_key }: Pick<Identity, 'board' | 'board_public_key'>,
): Promise<TrustedKey | null> {
  const { log_key } = await client.boardKeys(board);
  if (!log_key) return null;
  const key = vouchedKey(log_key, board_public_key);
  if (key) return key;
  const message = 'the key of its log is not signed by the key that the board had at enrollment';
  const evidence = { 'log-key.json': JSON.stringify(log_key, null, 2) };
  throw new LogContradiction('log_key_changed', message, evidence, log_key.vkey);
}

/** Null if the board's key did not sign this key. */
function vouchedKey(
  { vkey, statement }: { vkey: string; statement: unknown },
  boardPublicKey: string,
): TrustedKey | null {
  try {
    const { payload, signed, signature } = takeApart(statement, LOG_KEY_PAYLOAD_TYPE);
    const key = trustedKey(vkey);
    const stated = LogKeyStatement.safeParse(parseJsonBytes(payload)).data;
    const boardKey = fromBase64Url(boardPublicKey);
    const isSigned = boardKey !== null && PROOF_TOOLS.verify(signed, signature, boardKey);
    return isSigned && stated?.vkey === vkey && stated.origin === key.name ? key : null;
  } catch (error) {
    if (error instanceof DomainError || error instanceof NoteError) return null;
    throw error;
  }
}
