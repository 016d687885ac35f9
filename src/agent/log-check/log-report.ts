/** What this device knows of a board's log, without asking the board. */
import { fromBase64Url } from '#core/domain/text/base64.ts';
import { keyIdOf } from '#core/domain/signing/dsse.ts';
import type { LocalDevice } from '../device.ts';
import type { PublicLogReport } from '../reports.ts';
import { type KeptReceipt, receiptsIn } from '../state/board-files.ts';
import type { Identity } from '../state/keystore.ts';
import { sha256 } from '../state/sha256.ts';
import { KeptLog, type TrustedLog } from './kept-log.ts';

/**
 * Returns null if nothing is known.
 *
 * @param note Something that the person should know about the last check.
 */
export function logReport(
  device: Pick<LocalDevice, 'keystore'>,
  identity: Identity,
  note: string | null = null,
): PublicLogReport | null {
  const kept = new KeptLog(device.keystore.folderOf(identity.board));
  const log = kept.read();
  const evidence = kept.evidence();
  if (!log && note === null && evidence.length === 0) return null;
  const receipts = receiptsOf(device, identity);
  const proven = kept.proven();
  return {
    ...(log ? headOf(log) : { origin: null, size: null, checked_at: null }),
    proven: receipts.filter(({ log_index }) => proven.has(log_index)).length,
    waiting: receiptsDue(kept, receipts, proven).length,
    evidence,
    note,
  };
}

function headOf({ keys: [{ name }], checkpoint, checked_at }: TrustedLog) {
  return { origin: name, size: checkpoint?.size ?? null, checked_at };
}

/**
 * The receipts that the key of the board signed, oldest first. If the board was restored from a backup, a later receipt
 * may have the same number.
 */
export function receiptsOf(
  { keystore }: Pick<LocalDevice, 'keystore'>,
  { board, board_public_key }: Identity,
): KeptReceipt[] {
  const keyid = keyIdOf(fromBase64Url(board_public_key) ?? new Uint8Array(), sha256);
  const own = receiptsIn(keystore.folderOf(board)).filter(({ receipt }) => {
    return receipt?.signatures.some((each) => each.keyid === keyid);
  });
  return [...new Map(own.map((receipt) => [receipt.log_index, receipt])).values()];
}

/** The receipts without a proof, except those that the person has given up. */
export function receiptsDue(
  kept: KeptLog,
  receipts: readonly KeptReceipt[],
  proven = kept.proven(),
): KeptReceipt[] {
  const given_up = new Set(kept.read()?.given_up);
  return receipts.filter(({ log_index, entry_hash }) => {
    return !proven.has(log_index) && !given_up.has(entry_hash);
  });
}
