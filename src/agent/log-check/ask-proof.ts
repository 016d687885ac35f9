import { hex } from '#core/domain/log/log-entry.ts';
import {
  checkConsistency,
  checkInclusion,
  parseConsistency,
  parseLogProof,
} from '#core/domain/tlog/log-proof.ts';
import { NoteError } from '#core/domain/tlog/note-error.ts';
import { type Policy, isQuorum } from '#core/domain/tlog/policy.ts';
import type { Client } from '../board/client.ts';
import { Refusal } from '../failure.ts';
import type { KeptReceipt } from '../state/board-files.ts';
import { sha256 } from '../state/sha256.ts';
import { LogContradiction } from './log-alarm.ts';
import type { Grown } from './growth.ts';
import { PROOF_TOOLS, requiresWitnesses, trusting } from './policies.ts';

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
  asked: Asked,
  receipt: KeptReceipt,
  grown: Grown,
): Promise<ProofAnswer> {
  const { log_index } = receipt;
  const answer = await newestProof(asked, log_index);
  if (answer === null) return { state: 'missing', answer: '' };
  try {
    return await checkProof(answer, asked, { receipt, ...grown });
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    if (error.code === 'inclusion_invalid') return { state: 'missing', answer };
    if (error.code === 'consistency_invalid') throw twoLogs(grown, answer);
    const message = `its proof for entry ${log_index} is not valid: ${error.message}`;
    throw new LogContradiction('log_invalid', message, { 'answer.txt': answer });
  }
}

/**
 * The proof for the newest checkpoint; if this device requires witnesses, for the newest one that they cosigned, which
 * can be an hour older. Null if the board has none.
 */
async function newestProof({ client, board, policy }: Asked, log_index: number) {
  const ask = (isCosigned: boolean) =>
    client.logProof(board, log_index, isCosigned).catch((error: unknown) => {
      // Older boards do not know the choice.
      const isNone = error instanceof Refusal && [400, 404].includes(error.status);
      if (isNone) return null;
      throw error;
    });
  return (requiresWitnesses(policy) ? await ask(true) : null) ?? ask(false);
}

async function checkProof(
  answer: string,
  { client, board, policy }: Asked,
  { receipt, key, checkpoint }: Grown & { receipt: KeptReceipt },
): Promise<ProofAnswer> {
  const proof = parseLogProof(answer);
  const entry = proof.extra ?? new Uint8Array();
  const trust = trusting([key], policy);
  const checked = await checkInclusion(entry, proof, trust, PROOF_TOOLS);
  let reached = checked;
  if (checked.size < checkpoint.size) {
    const grown = parseConsistency(await client.logConsistency(board, checked.size));
    reached = await checkConsistency(checked, grown, trust, PROOF_TOOLS);
  }
  if (reached.size !== checkpoint.size) return { state: 'ahead' };
  if (Buffer.compare(reached.root, checkpoint.root) !== 0) throw twoLogs({ checkpoint }, answer);
  const isOwn = proof.index === receipt.log_index - 1 && hex(sha256(entry)) === receipt.entry_hash;
  if (!isOwn) return { state: 'missing', answer };
  const isWitnessed = isQuorum(policy.quorum, new Set(checked.cosigned.keys()));
  return isWitnessed ? { state: 'proven', proof: answer } : { state: 'unwitnessed' };
}

function twoLogs({ checkpoint }: Pick<Grown, 'checkpoint'>, answer: string): LogContradiction {
  const message = 'it shows two public logs at the same time, which do not extend each other';
  const evidence = { 'before.checkpoint': checkpoint.note, 'answer.txt': answer };
  return new LogContradiction('log_split', message, evidence, answer);
}
