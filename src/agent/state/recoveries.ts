/**
 * When the state of a device was behind its board, and whether it has to take over what another device
 * stated.
 *
 * @module
 */
import { join } from 'node:path';
import * as z from 'zod';
import { DAY_MS } from '#core/domain/counting/day.ts';
import { readOfDevice, writePrivate } from './atomic-file.ts';

const FILE = 'recovery.json';

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
  keep(folder, { ...recoveriesOf(folder, deviceId), is_due: true });
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
  keep(folder, { device_id: deviceId, is_due: false, at: [...at, ...now].slice(-MANY) });
}

/** Whether the state was behind so often that another machine must sign with the same key. */
export function hasTwin(folder: string, deviceId: string, nowMs: number): boolean {
  const { at } = recoveriesOf(folder, deviceId);
  return at.filter((one) => Date.parse(one) > nowMs - SPAN_MS).length >= MANY;
}

function recoveriesOf(folder: string, deviceId: string): Recoveries {
  const kept = readOfDevice(join(folder, FILE), Recoveries, deviceId);
  return kept ?? { device_id: deviceId, is_due: false, at: [] };
}

function keep(folder: string, recoveries: Recoveries): void {
  writePrivate(join(folder, FILE), JSON.stringify(recoveries));
}
