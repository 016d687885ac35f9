import { fromBase64Url } from '#core/domain/text/base64.ts';
import { keyIdOf } from '#core/domain/signing/dsse.ts';
import { verifyStrict } from '#core/domain/signing/ed25519.ts';
import { isReceiptSound } from '#core/domain/log/receipt.ts';
import type { Envelope } from '#core/schema/snapshot.ts';
import type { ReceiptAnswer } from '../board/answers.ts';
import { EXIT, Failure } from '../failure.ts';
import { type Identity, sha256 } from '../kept/keystore.ts';

/**
 * Checks that the board's key vouches for an envelope. What is not proven is not taken for sent.
 *
 * @throws {Failure} `refused` if it does not.
 */
export async function checkReceipt(
  { board, board_public_key }: Identity,
  receipt: ReceiptAnswer,
  envelope: string,
): Promise<void> {
  const boardKey = fromBase64Url(board_public_key) ?? new Uint8Array();
  const pinned = keyIdOf(boardKey, sha256);
  const signers = receipt.receipt.signatures.map(({ keyid }) => keyid);
  if (!signers.includes(pinned)) {
    throw new Failure(
      EXIT.refused,
      `${board} signs with another key, ${signers.join(', ')}, than when this device enrolled (${pinned})`,
      'Ask the keeper whether the key of the board changed. If it did, enroll again with a new code.',
    );
  }
  const sealed = JSON.parse(envelope) as Envelope;
  if (await isReceiptSound(receipt, sealed, boardKey, { verify: verifyStrict, sha256 })) return;
  throw new Failure(
    EXIT.refused,
    `The receipt of ${board} does not prove that it took the snapshot`,
    'Tell the keeper; the snapshot is kept and sent again next time.',
  );
}
