import { toBase64Url } from '#core/domain/base64.ts';
import { type KeyPair, generateKeyPair, signerOf } from '#core/domain/ed25519.ts';
import { hex } from '#core/domain/log-entry.ts';
import { normalizeCode, proveEnrollment } from '#core/domain/enrollment.ts';
import { readBoardUrl } from '../board/address.ts';
import type { Device } from '../device.ts';
import { EXIT, Failure } from '../failure.ts';
import { type Identity, keyIdOfKey, sha256 } from '../kept/keystore.ts';

export interface EnrollOptions {
  code: string;
  board: string;
  label: string;
}

/** Binds this device to the account that made the code. Safe to repeat until it is answered. */
export async function enroll(device: Device, options: EnrollOptions): Promise<Identity> {
  const board = readBoardUrl(options.board);
  const code = normalizeCode(options.code);
  if (code === null) {
    const message = `"${options.code}" is not an enrolment code`;
    throw new Failure(EXIT.usage, message, 'A code looks like XXXXX-XXXXX-XXXXX.');
  }
  let isNew = false;
  const key = await device.keystore.pendingKey(board, () => {
    isNew = true;
    return generateKeyPair();
  });
  const { label } = options;
  const request = await proveRequest(device, { code, board, label }, key);
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
  device.keystore.save(identity);
  return identity;
}

/** Whether a key cannot have been enrolled, or can no more. One of which an answer was lost may have. */
function isUseless({ code, isPassing, isUnheard }: Failure, isNew: boolean): boolean {
  if (code === 'key_known') return true;
  return isNew && (isUnheard || (code !== null && !isPassing));
}

async function proveRequest(
  { keystore, nowMs }: Device,
  { code, board, label }: EnrollOptions,
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
  };
  const signer = { keyid: keyIdOfKey(key), sign: signerOf(key.secretKey) };
  const proof = await proveEnrollment(claim, signer);
  return { code, public_key, installation_id, label, proof };
}
