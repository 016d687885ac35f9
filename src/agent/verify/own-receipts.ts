import type { EntriesCheck } from '#core/domain/log/log-entries-check.ts';
import type { Findings } from '#core/domain/log/log-finding.ts';
import type { Identity, Keystore } from '../kept/keystore.ts';
import { type KeptReceipt, receiptsIn } from '../kept/receipts.ts';

/** Who this device is on its boards, and what these have said of what it sent. */
export interface OwnReceipts {
  identity: Identity;
  receipts: readonly KeptReceipt[];
}

/** Where entries can be looked up, and how far that reaches. */
export interface KnownEntries {
  last: number;
  hashOf: (log_index: number) => string | undefined;
}

/** What this device holds of all its boards. */
export function ownReceipts(keystore: Keystore): OwnReceipts[] {
  return keystore.identities().sound.map((identity) => {
    return { identity, receipts: receiptsIn(keystore.folderOf(identity.board)) };
  });
}

/** Which of them are about a board: whoever states another address for it still has its key. */
export function receiptsOf(
  own: readonly OwnReceipts[],
  { keys }: EntriesCheck,
  addresses: readonly (string | undefined)[],
): OwnReceipts[] {
  return own.filter(({ identity: { board, board_public_key } }) => {
    const hasKey = keys.board.some(({ public_key }) => public_key === board_public_key);
    return hasKey || addresses.includes(board);
  });
}

/**
 * Checks that the log is that of the board at which this device enrolled, and that what the device has receipts for
 * stands in it; returns how many could be looked up.
 */
export function checkReceipts(
  { identity, receipts }: OwnReceipts,
  { keys }: EntriesCheck,
  { last, hashOf }: KnownEntries,
  findings: Findings,
): number {
  const { board, board_public_key } = identity;
  const report = (message: string, log_index?: number) => {
    const at = log_index === undefined ? {} : { log_index };
    findings.add({ code: 'own_receipt', line: null, message, ...at });
  };
  if (!keys.board.some(({ public_key }) => public_key === board_public_key)) {
    report(`its log enters other keys than ${board} had when this device enrolled`);
  }
  const known = receipts.filter(({ log_index }) => log_index <= last);
  for (const { log_index, entry_hash } of known) {
    if (hashOf(log_index) === entry_hash) continue;
    report(`entry ${log_index} is not what this device has the board's receipt for`, log_index);
  }
  return known.length;
}
