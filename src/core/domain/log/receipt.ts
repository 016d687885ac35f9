/** Checks the board's receipt for a submission, on the device that sent it. */
import { type Envelope, RECEIPT_PAYLOAD_TYPE, type Receipt } from '#core/schema/snapshot.ts';
import { type Sha256, keyIdOf, takeApart } from '../signing/dsse.ts';
import type { Verify } from '../signing/ed25519.ts';
import { DomainError } from '../text/errors.ts';
import { parseJsonBytes } from '../text/json.ts';
import { entryHash, fromHex, payloadDigest } from './log-entry.ts';

/** The verifiable part of a board's response to a submission. */
interface ClaimedReceipt extends Receipt {
  receipt: Envelope;
  proof: { previous: string; salt: string };
}

/** The signed members. Later boards may sign more. */
const FIELDS = ['log_index', 'entry_hash', 'received_at', 'ruleset'] as const;

type Tools = { verify: Verify; sha256: Sha256 };

/**
 * Whether the board's key signed exactly this receipt, and the log entry that it names contains exactly this
 * envelope. Unknown members are ignored.
 *
 * @param sent The envelope that was submitted.
 * @param publicKey The board's key, 32 bytes.
 */
export async function isReceiptSound(
  claimed: ClaimedReceipt,
  sent: Envelope,
  publicKey: Uint8Array,
  tools: Tools,
): Promise<boolean> {
  if (entryHashOf(claimed, sent, tools.sha256) !== claimed.entry_hash) return false;
  try {
    const signed = await readSigned(claimed.receipt, publicKey, tools);
    return FIELDS.every((field) => signed?.[field] === claimed[field]);
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
}

/** The log stores the envelope as compact JSON in a fixed order of members, however it was sent. */
function entryHashOf(
  { log_index, received_at, proof }: ClaimedReceipt,
  { payloadType, payload, signatures }: Envelope,
  sha256: Sha256,
): string {
  const ordered = signatures.map(({ keyid, sig }) => ({ keyid, sig }));
  const text = JSON.stringify({ payloadType, payload, signatures: ordered });
  const digest = payloadDigest(fromHex(proof.salt), new TextEncoder().encode(text), sha256);
  const { previous } = proof;
  return entryHash({ index: log_index, kind: 'snapshot', previous, received_at }, digest, sha256);
}

/** The contents that the key signed, without further checks; null if it did not sign them. */
async function readSigned(
  { payloadType, payload, signatures }: Envelope,
  publicKey: Uint8Array,
  { verify, sha256 }: Tools,
): Promise<Partial<Receipt> | null> {
  const keyid = keyIdOf(publicKey, sha256);
  const own = signatures.find((signature) => signature.keyid === keyid);
  if (!own) return null;
  const single = { payloadType, payload, signatures: [{ keyid, sig: own.sig }] };
  const envelope = takeApart(single, RECEIPT_PAYLOAD_TYPE);
  if (!(await verify(envelope.signed, envelope.signature, publicKey))) return null;
  return parseJsonBytes(envelope.payload) as Partial<Receipt> | null;
}
