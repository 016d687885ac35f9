/** Takes over what a board has of this device, where the state here does not know of it. */
import { pillarsOf } from '#core/domain/counting/bucket.ts';
import type { DailyCountAnswer } from '../board/answers.ts';
import type { LocalDevice } from '../device.ts';
import { withBaseline } from '../state/baseline.ts';
import { hasTwin, isTakeOverDue, noteTakeOver } from '../state/board-files.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Stated } from '../ledger/types.ts';
import { counted } from '../text/figures.ts';
import type { Delivery } from './deliver.ts';
import { withRetries } from './retry.ts';

export const TWIN_ADVICE =
  'On one of them, get a code in the settings of the board ("New key"), then: opbench enroll CODE --new.';

/**
 * Carries over to the ledger what a board has of this device and the ledger lacks, and remembers as
 * sent what the board has. Repeating it adds nothing, so it may be stopped anywhere.
 *
 * @param lastSubmissionAt When the board took the last submission of this device, asked before what waited was sent.
 */
export async function recover(
  delivery: Delivery,
  ledger: Partial<Pick<Ledger, 'carry'>> | undefined,
  lastSubmissionAt: string | null,
): Promise<void> {
  const { device, identity, outbox, progress, note } = delivery;
  const { board, device_id } = identity;
  const folder = device.keystore.folderOf(board);
  const known = outbox.lastSubmissionAt();
  const isBehind = lastSubmissionAt !== null && isBefore(known, lastSubmissionAt);
  if (!isBehind && !isTakeOverDue(folder, device_id)) return;
  const ask = () => device.client.counts(identity, { device: device_id });
  const counts = await withRetries(device, ask, progress);
  const aheadMs = aheadOf(device, board);
  const stated = counts?.map((count) => statedOf(count, aheadMs));
  // A board before 0.10 does not list them.
  if (!stated || !ledger?.carry) return;
  const added = await ledger.carry(board, withBaseline(stated, outbox.baseline()));
  outbox.takeOver(stated, lastSubmissionAt);
  const wasBehind = isBehind && known !== null;
  noteTakeOver(folder, device_id, { wasBehind, nowMs: device.nowMs() });
  const days = new Set(added.map(({ day }) => day)).size;
  const isTwin = wasBehind && hasTwin(folder, device_id, device.nowMs());
  notesOf(wasBehind, days, isTwin).forEach(note);
}

const TWIN_NOTE = `the same happened before: another machine seems to sign with the key of this device. ${TWIN_ADVICE}`;

function notesOf(wasBehind: boolean, days: number, isTwin: boolean): string[] {
  if (!wasBehind && days === 0) return [];
  const taken = `${counted(days, 'day')} taken over from the board`;
  if (!wasBehind) return [`what the board has of this device was not known here; ${taken}`];
  const older = `the state of this device was older than the board, as after a restored backup; ${taken}`;
  return isTwin ? [older, TWIN_NOTE] : [older];
}

/** Boards tell their time in whole seconds, and an answer takes a while: clocks that agree seem to differ by less. */
const UNSURE_MS = 1500;

/** By how much this device's clock is ahead of a board's: logs tell their instants by it. */
export function aheadOf({ client }: Pick<LocalDevice, 'client'>, board: string): number {
  const skewMs = client.skewMs(board) ?? 0;
  return skewMs > UNSURE_MS ? skewMs : 0;
}

/** @param aheadMs By how much the clock here is ahead of the board's. */
export function statedOf(count: DailyCountAnswer, aheadMs: number): Stated {
  const { day, tool, provider, model, fingerprint, stated_at } = count;
  const bucket = { day, tool, provider, model, ...pillarsOf(count) };
  const untilMs = Date.parse(stated_at) + aheadMs;
  return { ...bucket, fingerprint: fingerprint ?? undefined, untilMs };
}

/** Whether nothing is known until an instant, or less. */
function isBefore(known: string | null, instant: string): boolean {
  return known === null || Date.parse(known) < Date.parse(instant);
}
