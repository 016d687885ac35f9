/**
 * Small files in a board's folder: receipts, the key for fingerprints, recoveries of an outdated state, and the decision
 * of an unfinished enrollment.
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
const Receipt = z.looseObject({
  log_index: z.number(),
  entry_hash: z.string(),
  received_at: z.string().optional().catch(undefined),
  /** The envelope that the board signed. */
  receipt: z
    .looseObject({ signatures: z.array(z.looseObject({ keyid: z.string() })) })
    .optional()
    .catch(undefined),
});
/** A receipt: the number of the log entry and its hash. */
export type KeptReceipt = z.infer<typeof Receipt>;

/** The saved receipts of one board, oldest first. Unreadable lines are skipped. */
export function receiptsIn(folder: string): KeptReceipt[] {
  return readJsonLines(join(folder, RECEIPTS), Receipt);
}

/** Saves a receipt, unless it is already saved. */
export function keepReceipt(folder: string, receipt: KeptReceipt): void {
  const isKept = receiptsIn(folder).some(({ log_index, entry_hash }) => {
    return log_index === receipt.log_index && entry_hash === receipt.entry_hash;
  });
  if (!isKept) appendLine(join(folder, RECEIPTS), JSON.stringify(receipt));
}

/** The account's key for fingerprints, as the board sent it. */
const FingerprintKey = z.object({
  device_id: z.string(),
  key: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
});

/**
 * The key for fingerprints; null if there is none.
 *
 * @param folder The folder of the board.
 */
export function readFingerprintKey(folder: string, deviceId: string): string | null {
  return readOfDevice(fingerprintKeyIn(folder), FingerprintKey, deviceId)?.key ?? null;
}

/** Saves the key for fingerprints. An invalid key is ignored. */
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

/** This many recoveries within {@linkcode SPAN_MS} mean that another machine uses the same key. */
const MANY = 3;
const SPAN_MS = 30 * DAY_MS;

const Recoveries = z.object({
  device_id: z.string(),
  /** Whether the device has replaced another one and has not copied its counts yet. */
  is_due: z.boolean(),
  /** The last times when the state was outdated, at most {@linkcode MANY}. */
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

/** Whether the state was outdated so often that another machine must be using the same key. */
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
  /** Enroll as a new device, or as the device that this installation already is. */
  z.object({ kind: z.literal('plain') }),
  /** Replace another device. */
  z.object({ kind: z.literal('replace'), replaced: Named }),
  z.object({
    kind: z.literal('new'),
    /** The owners of common days until now; null if there are none. */
    stay_with: z.string().nullable(),
    /** Whether this installation was a device of the account that another machine continues. */
    is_twin: z.boolean(),
    /** Which days they have, if only logs were copied. */
    groups: Groups.optional(),
  }),
]);
export type Decision = z.infer<typeof Decision>;

/**
 * The decision of an enrollment that the board has not answered. The board accepts the same code again, but no longer
 * lists the devices for it.
 */
const KeptDecision = z.object({ code_hash: z.string(), decision: Decision });

/** The saved decision for a code; null if there is none. */
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
