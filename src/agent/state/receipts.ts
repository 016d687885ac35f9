import { join } from 'node:path';
import * as z from 'zod';
import { appendLine, readJsonLines } from './atomic-file.ts';

const RECEIPTS = 'receipts.ndjson';
const Receipt = z.looseObject({ log_index: z.number(), entry_hash: z.string() });
/** What a board has said of a submission: its place in the log, and the entry's hash. */
export type KeptReceipt = z.infer<typeof Receipt>;

/** The receipts that were kept of one board, oldest first; a line that cannot be read is left out. */
export function receiptsIn(folder: string): KeptReceipt[] {
  return readJsonLines(join(folder, RECEIPTS), Receipt);
}

/**
 * Keeps a receipt, once however often it comes.
 *
 * @throws {Failure} if it cannot be written.
 */
export function keepReceipt(folder: string, receipt: KeptReceipt): void {
  const isKept = receiptsIn(folder).some(({ log_index, entry_hash }) => {
    return log_index === receipt.log_index && entry_hash === receipt.entry_hash;
  });
  if (!isKept) appendLine(join(folder, RECEIPTS), JSON.stringify(receipt));
}
