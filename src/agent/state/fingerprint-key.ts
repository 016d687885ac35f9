import { join } from 'node:path';
import * as z from 'zod';
import { readOfDevice, removeWhole, writePrivate } from './atomic-file.ts';

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
  return readOfDevice(pathIn(folder), FingerprintKey, deviceId)?.key ?? null;
}

/**
 * Keeps the key that a board gave. What is no key is ignored.
 *
 * @throws {Failure} if it cannot be written.
 */
export function keepFingerprintKey(folder: string, deviceId: string, key: string): void {
  const kept = { device_id: deviceId, key };
  if (readFingerprintKey(folder, deviceId) === key) return;
  if (FingerprintKey.safeParse(kept).success) writePrivate(pathIn(folder), JSON.stringify(kept));
}

export function eraseFingerprintKey(folder: string): void {
  removeWhole(pathIn(folder));
}

function pathIn(folder: string): string {
  return join(folder, 'fingerprint-key.json');
}
