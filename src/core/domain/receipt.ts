/** The board's receipt for a submission, checked by who sent it. */
import { Receipt, RECEIPT_PAYLOAD_TYPE, type Envelope } from '../schema/snapshot.ts';
import { type Sha256, takeApart } from './dsse.ts';
import type { Verify } from './ed25519.ts';
import { parseJsonBytes } from './json.ts';
import { entryHash, fromHex, payloadDigest } from './log-entry.ts';

/** What a board answers to a submission, as far as it can be checked. */
export interface ClaimedReceipt extends Receipt {
  receipt: Envelope;
  proof: { previous: string; salt: string };
}

/**
 * Whether the board's key signed exactly this receipt, and the log entry it names holds exactly
 * this envelope.
 *
 * @param sent The envelope that was submitted.
 * @param publicKey The board's key, 32 bytes.
 */
export async function isReceiptSound(
  claimed: ClaimedReceipt,
  sent: Envelope,
  publicKey: Uint8Array,
  { verify, sha256 }: { verify: Verify; sha256: Sha256 },
): Promise<boolean> {
  const { log_index, entry_hash, received_at, proof } = claimed;
  const salt = fromHex(proof.salt);
  const { payloadType, payload, signatures } = sent;
  const entry = new TextEncoder().encode(JSON.stringify({ payloadType, payload, signatures }));
  const head = {
    index: log_index,
    kind: 'snapshot',
    previous: proof.previous,
    received_at,
  } as const;
  if (entryHash(head, payloadDigest(salt, entry, sha256), sha256) !== entry_hash) return false;

  const envelope = takeApart(claimed.receipt, RECEIPT_PAYLOAD_TYPE);
  if (!(await verify(envelope.signed, envelope.signature, publicKey))) return false;
  const signed = Receipt.safeParse(parseJsonBytes(envelope.payload));
  return (
    signed.success &&
    (['log_index', 'entry_hash', 'received_at', 'ruleset'] as const).every(
      (field) => signed.data[field] === claimed[field],
    )
  );
}
