/** The board's own keys as they are stored, compared with those that its log entered. */
import type { BoardKeyRow } from '#db/board-keys.ts';
import { toBase64Url } from '#core/domain/text/base64.ts';
import type { LoggedBoardKey } from '#core/domain/log/log-keys.ts';
import { privateKeyObject, signEd25519, verifyEd25519 } from '../process/crypto.ts';
import type { WholeFindings } from './findings.ts';

/** Finds keys that are missing, that the log does not know, and secrets that do not sign for their keys. */
export function checkBoardKeys(
  rows: readonly BoardKeyRow[],
  entered: readonly LoggedBoardKey[],
  findings: WholeFindings,
): void {
  const report = (message: string) => findings.add({ code: 'stored_key', message });
  const stored = new Map(rows.map((row) => [row.keyid, row]));
  for (const { keyid, public_key, log_index, received_at } of entered) {
    const row = stored.get(keyid);
    stored.delete(keyid);
    if (!row) {
      report(`the board's own key ${keyid} is entered by the log, but not stored`);
      continue;
    }
    const own = [toBase64Url(row.public_key), row.log_index, row.created_at];
    if (own.join(' ') !== [public_key, log_index, received_at].join(' ')) {
      report(`the board's own key ${keyid} is not stored as the log entered it`);
    } else if (!canSign(row)) {
      report(`the secret of the board's own key ${keyid} is that of another key`);
    }
  }
  for (const keyid of stored.keys()) report(`the board's own key ${keyid} is not in the log`);
}

function canSign({ secret_key, public_key }: BoardKeyRow): boolean {
  const message = new TextEncoder().encode('opbench');
  try {
    const signature = signEd25519(message, privateKeyObject(secret_key, public_key));
    return verifyEd25519(message, signature, public_key);
  } catch {
    return false;
  }
}
