/**
 * Small files in the folder of a board: receipts, the key of fingerprints, when the state of a device was
 * behind its board or has to take over what another device stated, and what was decided about an enrollment.
 *
 * @module
 */
import { join } from 'node:path';
import { rmSync } from 'node:fs';
import * as z from 'zod';
import { DAY_MS } from '#core/domain/counting/day.ts';
import {
  appendLine,
  readJsonLines,
  readOfDevice,
  removeWhole,
  writePrivate,
  readJson,
} from './atomic-file.ts';
import { Groups } from './baseline.ts';

const RECEIPTS = 'receipts.ndjson';
const Receipt = z.looseObject({ log_index: z.number(), entry_hash: z.string() });
/** What a board has said of a submission: its place in the log, and the entry's hash. */
export type KeptReceipt = z.infer<typeof Receipt>;

/** The receipts that were kept of one board, oldest first; a line that cannot be read is left out. */
export function receiptsIn(folder: string): KeptReceipt[] {
  return readJsonLines(join(folder, RECEIPTS), Receipt);
}

/** Keeps a receipt, once however often it comes. */
export function keepReceipt(folder: string, receipt: KeptReceipt): void {
  const isKept = receiptsIn(folder).some(({ log_index, entry_hash }) => {
    return log_index === receipt.log_index && entry_hash === receipt.entry_hash;
  });
  if (!isKept) appendLine(join(folder, RECEIPTS), JSON.stringify(receipt));
}

/** The key of an account's fingerprints, as its board gave it to a device. */
const FingerprintKey = z.object({
  device_id: z.string(),
  key: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
});

/**
 * The key that a board gave to this device; null if it gave none.
 *
 * @param folder The folder of the board.
 */
export function readFingerprintKey(folder: string, deviceId: string): string | null {
  return readOfDevice(fingerprintKeyIn(folder), FingerprintKey, deviceId)?.key ?? null;
}

/** Keeps the key that a board gave. What is no key is ignored. */
export function keepFingerprintKey(folder: string, deviceId: string, key: string): void {
  const kept = { device_id: deviceId, key };
  if (readFingerprintKey(folder, deviceId) === key) return;
  if (FingerprintKey.safeParse(kept).success)
    writePrivate(fingerprintKeyIn(folder), JSON.stringify(kept));
}

export function eraseFingerprintKey(folder: string): void {
  removeWhole(fingerprintKeyIn(folder));
}

function fingerprintKeyIn(folder: string): string {
  return join(folder, 'fingerprint-key.json');
}

/** So many within {@linkcode SPAN_MS} are no accident: another machine signs with the same key. */
const MANY = 3;
const SPAN_MS = 30 * DAY_MS;

const Recoveries = z.object({
  device_id: z.string(),
  /** Whether the device replaced another one and has not taken over its counts yet. */
  is_due: z.boolean(),
  /** When the state was behind, at most {@linkcode MANY} times. */
  at: z.array(z.string()),
});
type Recoveries = z.infer<typeof Recoveries>;

export function askToTakeOver(folder: string, deviceId: string): void {
  keepRecoveries(folder, { ...recoveriesOf(folder, deviceId), is_due: true });
}

export function isTakeOverDue(folder: string, deviceId: string): boolean {
  return recoveriesOf(folder, deviceId).is_due;
}

export function noteTakeOver(
  folder: string,
  deviceId: string,
  { wasBehind, nowMs }: { wasBehind: boolean; nowMs: number },
): void {
  const { at } = recoveriesOf(folder, deviceId);
  const now = wasBehind ? [new Date(nowMs).toISOString()] : [];
  keepRecoveries(folder, { device_id: deviceId, is_due: false, at: [...at, ...now].slice(-MANY) });
}

/** Whether the state was behind so often that another machine must sign with the same key. */
export function hasTwin(folder: string, deviceId: string, nowMs: number): boolean {
  const { at } = recoveriesOf(folder, deviceId);
  return at.filter((one) => Date.parse(one) > nowMs - SPAN_MS).length >= MANY;
}

function recoveriesOf(folder: string, deviceId: string): Recoveries {
  const kept = readOfDevice(join(folder, 'recovery.json'), Recoveries, deviceId);
  return kept ?? { device_id: deviceId, is_due: false, at: [] };
}

function keepRecoveries(folder: string, recoveries: Recoveries): void {
  writePrivate(join(folder, 'recovery.json'), JSON.stringify(recoveries));
}

const Named = z.object({ id: z.string(), label: z.string() });

export const Decision = z.discriminatedUnion('kind', [
  /** As a device of its own, or as the one that this installation is already. */
  z.object({ kind: z.literal('plain') }),
  /** In the place of another device. */
  z.object({ kind: z.literal('replace'), replaced: Named }),
  z.object({
    kind: z.literal('new'),
    /** Who keeps the days until now, if they are the same days. */
    stay_with: z.string().nullable(),
    /** Whether this installation was a device of the account, and another machine goes on as that. */
    is_twin: z.boolean(),
    /** What they have of these days, if nothing was copied but logs. */
    groups: Groups.optional(),
  }),
]);
export type Decision = z.infer<typeof Decision>;

/**
 * What was decided about an enrollment whose answer has not come: the board takes the same code again, but
 * no longer lists the devices for it.
 */
/**
 * What was decided about an enrollment whose answer has not come: the board takes the same code again, but
 * no longer lists the devices for it.
 */
const KeptDecision = z.object({ code_hash: z.string(), decision: Decision });

/** What was decided for a code; null if nothing was. */
export function keptDecision(folder: string, codeHash: string): Decision | null {
  const kept = readJson(choiceIn(folder), KeptDecision);
  return kept?.code_hash === codeHash ? kept.decision : null;
}

export function keepDecision(folder: string, codeHash: string, decision: Decision): void {
  writePrivate(choiceIn(folder), JSON.stringify({ code_hash: codeHash, decision }));
}

export function dropDecision(folder: string): void {
  rmSync(choiceIn(folder), { force: true });
}

function choiceIn(folder: string): string {
  return join(folder, 'enrolling.json');
}
