/** The answer to a submission's sender, of which only the board's signature is stored. */
import { RECEIPT_PAYLOAD_TYPE } from '#core/schema/snapshot.ts';

/** What an answer is restored from. */
export interface AnswerFacts {
  id: string;
  submission_id: string;
  log_index: number;
  entry_hash: string;
  received_at: string;
  ruleset: string;
  records: number;
  /** The board's key. */
  keyid: string;
  signature: Uint8Array;
  previous: string;
  /** Hex. */
  salt: string;
}

/** The exact text of the answer. Do not change it: boards have stored signatures of it. */
export function restoredAnswer(facts: AnswerFacts): string {
  const { id, submission_id, log_index, entry_hash, received_at, ruleset } = facts;
  const receipt = { log_index, entry_hash, received_at, ruleset };
  const sig = Buffer.from(facts.signature).toString('base64');
  return JSON.stringify({
    id,
    submission_id,
    ...receipt,
    records: facts.records,
    receipt: {
      payloadType: RECEIPT_PAYLOAD_TYPE,
      payload: Buffer.from(JSON.stringify(receipt)).toString('base64'),
      signatures: [{ keyid: facts.keyid, sig }],
    },
    proof: { previous: facts.previous, salt: facts.salt },
  });
}

/** What of an answer must be stored to restore it; null if its text cannot be restored exactly. */
export function factsOfAnswer(
  answer: string,
  known: Omit<AnswerFacts, 'keyid' | 'ruleset' | 'signature'>,
): Pick<AnswerFacts, 'keyid' | 'ruleset' | 'signature'> | null {
  try {
    const { ruleset, receipt } = JSON.parse(answer) as {
      ruleset: string;
      receipt: { signatures: { keyid: string; sig: string }[] };
    };
    const [{ keyid, sig } = { keyid: '', sig: '' }] = receipt.signatures;
    const stored = { keyid, ruleset, signature: Buffer.from(sig, 'base64') };
    const isWhole = stored.signature.length === 64;
    return isWhole && restoredAnswer({ ...known, ...stored }) === answer ? stored : null;
  } catch {
    return null;
  }
}
