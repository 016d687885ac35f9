import { toBase64Url } from '#core/domain/text/base64.ts';
import { type KeyPair, generateKeyPair, signerOf } from '#core/domain/signing/ed25519.ts';
import { hex } from '#core/domain/log/log-entry.ts';
import { normalizeCode, proveEnrollment } from '#core/domain/signing/enrollment.ts';
import { readBoardUrl } from '../board/address.ts';
import type { LocalDevice } from '../device.ts';
import { EXIT, Failure } from '../failure.ts';
import { pinLog } from '../log-check/check-log.ts';
import { keepFingerprintKey } from '../state/board-files.ts';
import { type Identity, keyIdOfKey } from '../state/keystore.ts';
import { sha256 } from '../state/sha256.ts';

export interface EnrollOptions {
  code: string;
  board: string;
  label: string;
  replaces?: string | undefined;
  /** Writes what must be on disk before the key. */
  prepare?: (identity: Identity) => void;
}

/**
 * The canonical form of a code.
 *
 * @throws {Failure} `usage` if the text is not a code.
 */
export function readCode(typed: string): string {
  const code = normalizeCode(typed);
  if (code !== null) return code;
  const message = `"${typed}" is not an enrollment code`;
  throw new Failure(
    EXIT.usage,
    message,
    'A code looks like 7K3QX-9M2RT-4HWPB. Copy it from "Add a device" in the board\'s settings.',
  );
}

/** Connects this device to the account that created the code. Safe to repeat until the board answers. */
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
  await pinLog(device, identity);
  return identity;
}

/** Whether a key is certainly not enrolled. After a lost response it may be. */
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
