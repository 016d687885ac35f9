/** Fingerprints of daily counts, computed from the responses behind each. */
import { type KeyObject, createHmac, createSecretKey } from 'node:crypto';
import {
  fingerprintOf,
  formatFingerprint,
  mergeFingerprints,
  parseFingerprint,
} from '#core/domain/counting/fingerprint.ts';
import type { Bucket } from '#core/schema/usage.ts';
import type { LocalDevice } from '../device.ts';
import { type IsStated, baselineIn, carriedSince, statedAbove } from '../state/baseline.ts';
import { readFingerprintKey } from '../state/board-files.ts';
import type { Identity } from '../state/keystore.ts';
import type { Ledger } from '../ledger/ledger.ts';

export type Fingerprinted = Pick<Ledger, 'carriedFingerprint' | 'isCarried' | 'responsesOf'> &
  Partial<Pick<Ledger, 'id'>>;

export interface FingerprintSource {
  board: string;
  key: KeyObject;
  ledger: Fingerprinted;
  isStated: IsStated;
  /** Carried-over counts are included only if they were stated after this time. */
  carriedSinceMs: number;
}

/** Null if the board has given no key. Boards before 0.10 do not. */
export function fingerprintSource(
  { keystore }: Pick<LocalDevice, 'keystore'>,
  { board, device_id }: Pick<Identity, 'board' | 'device_id'>,
  ledger: Fingerprinted | undefined,
): FingerprintSource | null {
  const folder = keystore.folderOf(board);
  const key = readFingerprintKey(folder, device_id);
  if (key === null || ledger === undefined) return null;
  const baseline = baselineIn(folder, device_id);
  const isStated = statedAbove(baseline, ledger);
  const carriedSinceMs = carriedSince(baseline);
  return { board, key: createSecretKey(key, 'base64url'), ledger, isStated, carriedSinceMs };
}

/** The same daily counts, with fingerprints where all responses are known. */
export function withFingerprints(
  buckets: readonly Bucket[],
  source: FingerprintSource | null,
): readonly Bucket[] {
  if (source === null) return buckets;
  return buckets.map((bucket) => {
    const fingerprint = fingerprintIn(source, bucket);
    return fingerprint === null ? bucket : { ...bucket, fingerprint };
  });
}

/** The fingerprint of a daily count, as it is sent; null if not all responses are known. */
function fingerprintIn(source: FingerprintSource, bucket: Bucket): string | null {
  const { board, key, ledger, isStated, carriedSinceMs } = source;
  const responses = ledger.responsesOf(bucket).filter((response) => isStated(bucket, response));
  const told = fingerprintOf(responses.map(({ name }) => hashOf(key, `${bucket.tool}\n${name}`)));
  if (!ledger.isCarried(bucket, carriedSinceMs)) return told && formatFingerprint(told);
  const carried = parseFingerprint(ledger.carriedFingerprint(board, bucket, carriedSinceMs));
  // A fingerprint of the known responses alone would seem to cover the whole count.
  if (carried === null) return null;
  const merged = mergeFingerprints(told === null ? [carried] : [told, carried]);
  return merged && formatFingerprint(merged);
}

function hashOf(key: KeyObject, text: string): number {
  return createHmac('sha256', key).update(text).digest().readUInt32BE();
}
