import { hex } from '#core/domain/log/log-entry.ts';
import { checkInclusion, parseLogProof } from '#core/domain/tlog/log-proof.ts';
import { NoteError } from '#core/domain/tlog/note-error.ts';
import { type Policy, isQuorum } from '#core/domain/tlog/policy.ts';
import type { Client } from '../board/client.ts';
import { Refusal } from '../failure.ts';
import type { KeptReceipt } from '../state/board-files.ts';
import { sha256 } from '../state/sha256.ts';
import { LogContradiction } from './log-alarm.ts';
import type { Grown } from './growth.ts';
import { PROOF_TOOLS, trusting } from './policies.ts';

interface Asked {
  client: Client;
  board: string;
  policy: Policy;
}

/** The result for one receipt. */
export type ProofAnswer =
  | { state: 'proven'; proof: string }
  /** The checked tree does not reach its entry yet. */
  | { state: 'later' }
  /** The proof is for a tree that was not checked yet. */
  | { state: 'ahead' }
  /** Too few witnesses of the policy have cosigned. */
  | { state: 'unwitnessed' }
  | { state: 'missing'; answer: string };

/**
 * Requests the proof for a receipt, and checks it against a checked checkpoint.
 *
 * @throws {LogContradiction} if the proof is not valid, or is for another tree of the same size.
 * @throws {Failure} if the request fails.
 */
export async function askProof(
  { client, board, policy }: Asked,
  receipt: KeptReceipt,
  grown: Grown,
): Promise<ProofAnswer> {
  const { log_index } = receipt;
  const answer = await client.logProof(board, log_index).catch((error: unknown) => {
    if (error instanceof Refusal && error.status === 404) return null;
    throw error;
  });
  if (answer === null) return { state: 'missing', answer: '' };
  try {
    return await checkProof(answer, policy, { receipt, ...grown });
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    if (error.code === 'inclusion_invalid') return { state: 'missing', answer };
    const message = `its proof for entry ${log_index} is not valid: ${error.message}`;
    throw new LogContradiction('log_invalid', message, { 'answer.txt': answer });
  }
}

async function checkProof(
  answer: string,
  policy: Policy,
  { receipt, key, checkpoint }: Grown & { receipt: KeptReceipt },
): Promise<ProofAnswer> {
  const proof = parseLogProof(answer);
  const entry = proof.extra ?? new Uint8Array();
  const checked = await checkInclusion(entry, proof, trusting([key], policy), PROOF_TOOLS);
  if (checked.size !== checkpoint.size) return { state: 'ahead' };
  if (Buffer.compare(checked.root, checkpoint.root) !== 0) {
    const message = 'it shows two public logs of the same size at the same time';
    const evidence = { 'before.checkpoint': checkpoint.note, 'answer.txt': answer };
    throw new LogContradiction('log_split', message, evidence, answer);
  }
  const isOwn = proof.index === receipt.log_index - 1 && hex(sha256(entry)) === receipt.entry_hash;
  if (!isOwn) return { state: 'missing', answer };
  const isWitnessed = isQuorum(policy.quorum, new Set(checked.cosigned.keys()));
  return isWitnessed ? { state: 'proven', proof: answer } : { state: 'unwitnessed' };
}
