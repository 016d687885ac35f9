import { toBase64Url } from '#core/domain/text/base64.ts';
import { type KeyPair, generateKeyPair, signerOf } from '#core/domain/signing/ed25519.ts';
import { hex } from '#core/domain/log/log-entry.ts';
import { normalizeCode, proveEnrollment } from '#core/domain/signing/enrollment.ts';
import { readBoardUrl } from '../board/address.ts';
import type { LocalDevice } from '../device.ts';
import { EXIT, Failure } from '../failure.ts';
import { keepFingerprintKey } from '../state/board-files.ts';
import { type Identity, keyIdOfKey } from '../state/keystore.ts';
import { sha256 } from '../state/sha256.ts';

export interface EnrollOptions {
  code: string;
  board: string;
  label: string;
  replaces?: string | undefined;
  /** What has to be on disk before the key is, without which nothing is sent. */
  prepare?: (identity: Identity) => void;
}

/**
 * The canonical spelling of a code.
 *
 * @throws {Failure} `usage` if it is no code.
 */
export function readCode(typed: string): string {
  const code = normalizeCode(typed);
  if (code !== null) return code;
  const message = `"${typed}" is not an enrolment code`;
  throw new Failure(EXIT.usage, message, 'A code looks like XXXXX-XXXXX-XXXXX.');
}

/** Binds this device to the account that made the code. Safe to repeat until it is answered. */
export async function enroll(device: LocalDevice, options: EnrollOptions): Promise<Identity> {
  const board = readBoardUrl(options.board);
  const code = readCode(options.code);
  let isNew = false;
  const key = await device.keystore.pendingKey(board, () => {
    isNew = true;
    return generateKeyPair();
  });
  const request = await proveRequest(device, { ...options, code, board }, key);
  const enrollment = await device.client.enroll(board, request).catch((error: unknown) => {
    if (error instanceof Failure && isUseless(error, isNew)) device.keystore.dropPending(board);
    throw error;
  });
  const identity: Identity = {
    board,
    board_name: enrollment.board.name,
    board_public_key: enrollment.board.public_key,
    codename: enrollment.codename,
    device_id: enrollment.device.id,
    keyid: keyIdOfKey(key),
    public_key: toBase64Url(key.publicKey),
    secret_key: toBase64Url(key.secretKey),
  };
  const { fingerprint_key: given } = enrollment;
  if (given) keepFingerprintKey(device.keystore.folderOf(board), identity.device_id, given);
  options.prepare?.(identity);
  device.keystore.save(identity);
  return identity;
}

/** Whether a key cannot have been enrolled, or can no more. One of which an answer was lost may have. */
function isUseless({ code, isPassing, isUnheard }: Failure, isNew: boolean): boolean {
  if (code === 'key_known') return true;
  return isNew && (isUnheard || (code !== null && !isPassing));
}

async function proveRequest(
  { keystore, nowMs }: LocalDevice,
  { code, board, label, replaces }: EnrollOptions,
  key: KeyPair,
) {
  const public_key = toBase64Url(key.publicKey);
  const installation_id = keystore.installationId();
  const claim = {
    audience: board,
    code_hash: hex(sha256(code)),
    public_key,
    installation_id,
    issued_at: new Date(nowMs()).toISOString(),
    ...(replaces !== undefined && { replaces }),
  };
  const signer = { keyid: keyIdOfKey(key), sign: signerOf(key.secretKey) };
  const proof = await proveEnrollment(claim, signer);
  const place = replaces === undefined ? {} : { replaces };
  return { code, public_key, installation_id, label, proof, ...place };
}
