/** Copies counts of this device from a board if the state folder does not have them. */
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
  'On one of the two, get a code from "Add a device" in the board\'s settings, then: opbench enroll CODE --new.';

/**
 * Carries counts over to the ledger that only the board has, and marks the board's counts as sent. Repeating it
 * changes nothing, so it can be interrupted at any time.
 *
 * @param lastSubmissionAt When the board accepted the last submission of this device, before pending ones were sent.
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
  // Boards before 0.10 do not list counts.
  if (!stated || !ledger?.carry) return;
  const added = await ledger.carry(board, withBaseline(stated, outbox.baseline()));
  outbox.takeOver(stated, lastSubmissionAt);
  const wasBehind = isBehind && known !== null;
  noteTakeOver(folder, device_id, { wasBehind, nowMs: device.nowMs() });
  const days = new Set(added.map(({ day }) => day)).size;
  const isTwin = wasBehind && hasTwin(folder, device_id, device.nowMs());
  notesOf(wasBehind, days, isTwin).forEach(note);
}

const TWIN_NOTE = `this has happened before, so another machine seems to use the key of this device. ${TWIN_ADVICE}`;

function notesOf(wasBehind: boolean, days: number, isTwin: boolean): string[] {
  if (!wasBehind && days === 0) return [];
  const taken = `${counted(days, 'day')} copied from the board`;
  if (!wasBehind) return [`the board had counts of this device that were not here; ${taken}`];
  const older = `the state folder was older than the board, for example after a restored backup; ${taken}`;
  return isTwin ? [older, TWIN_NOTE] : [older];
}

/** Boards send their time in whole seconds and responses take time, so smaller differences do not count. */
const UNSURE_MS = 1500;

/** By how many milliseconds this device's clock, which the times in logs are from, is ahead of a board's. */
export function aheadOf({ client }: Pick<LocalDevice, 'client'>, board: string): number {
  const skewMs = client.skewMs(board) ?? 0;
  return skewMs > UNSURE_MS ? skewMs : 0;
}

/** @param aheadMs By how many milliseconds this device's clock is ahead of the board's. */
export function statedOf(count: DailyCountAnswer, aheadMs: number): Stated {
  const { day, tool, provider, model, fingerprint, stated_at } = count;
  const bucket = { day, tool, provider, model, ...pillarsOf(count) };
  const untilMs = Date.parse(stated_at) + aheadMs;
  return { ...bucket, fingerprint: fingerprint ?? undefined, untilMs };
}

/** Whether the known time is earlier than another, or there is none. */
function isBefore(known: string | null, instant: string): boolean {
  return known === null || Date.parse(known) < Date.parse(instant);
}
