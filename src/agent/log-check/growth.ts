/** Checks that a board's log extends what it showed before. */
import { checkCheckpoint } from '#core/domain/tlog/checkpoint-check.ts';
import { checkConsistency, parseConsistency } from '#core/domain/tlog/log-proof.ts';
import { logPathOf } from '#core/domain/tlog/log-path.ts';
import { NoteError } from '#core/domain/tlog/note-error.ts';
import type { Policy } from '#core/domain/tlog/policy.ts';
import { EMPTY_ROOT, type TreeHead } from '#core/domain/tlog/tree.ts';
import type { Client } from '../board/client.ts';
import { Refusal } from '../failure.ts';
import type { Identity } from '../state/keystore.ts';
import { figure } from '../text/figures.ts';
import { type TrustedCheckpoint, type TrustedKey, type TrustedLog, trusted } from './kept-log.ts';
import { LogContradiction } from './log-alarm.ts';
import { askLogKey } from './log-key.ts';
import { PROOF_TOOLS, trusting } from './policies.ts';

const NOTHING: TreeHead = { size: 0, root: EMPTY_ROOT };

/** What is known of a log, with the key that should have signed the answer. */
type Known = Pick<TrustedLog, 'checkpoint'> & { key: TrustedKey };

export interface Grown {
  key: TrustedKey;
  checkpoint: TrustedCheckpoint;
}

export interface Asked {
  client: Client;
  identity: Identity;
  policy: Policy;
}

/**
 * Requests the checkpoint, and checks its signature and that its tree extends the known one. A new key of the log is
 * accepted if the board's key signed it and the tree still extends the known one.
 *
 * @throws {LogContradiction} if the log contradicts what is known.
 * @throws {Failure} if a request fails.
 */
export async function checkGrowth(
  asked: Asked,
  { keys: [key], checkpoint }: Pick<TrustedLog, 'checkpoint' | 'keys'>,
): Promise<Grown> {
  const { client, identity } = asked;
  const known = { key, checkpoint };
  const from = checkpoint?.size ?? 0;
  try {
    const answer = await client.logConsistency(identity.board, from);
    return await checkAnswer(asked, known, answer);
  } catch (error) {
    if (!checkpoint || !(error instanceof Refusal) || error.status !== 404) throw error;
    throw await explained(asked, known, checkpoint, error);
  }
}

async function checkAnswer(asked: Asked, known: Known, answer: string): Promise<Grown> {
  try {
    return await extended(asked, known, answer);
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    if (error.code === 'signature_missing') return checkWithNewKey(asked, known, answer);
    throw contradictionOf(error, known, answer);
  }
}

/** @throws {NoteError} if the answer does not prove it. */
async function extended({ policy }: Asked, { key, checkpoint }: Known, answer: string) {
  const proof = parseConsistency(answer);
  const trust = trusting([key], policy);
  await checkConsistency(checkpoint ?? NOTHING, proof, trust, PROOF_TOOLS);
  return { key, checkpoint: trusted(proof.checkpoint) };
}

async function checkWithNewKey(asked: Asked, known: Known, answer: string): Promise<Grown> {
  const key = await askLogKey(asked.client, asked.identity);
  try {
    if (key) return await extended(asked, { ...known, key }, answer);
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    const isOther = key?.name !== known.key.name;
    if (error.code === 'consistency_invalid' && key && isOther) throw replaced(known, key, answer);
    if (error.code !== 'signature_missing') throw contradictionOf(error, known, answer);
  }
  const message = 'its checkpoint is not signed by the key of its log';
  throw new LogContradiction('log_key_changed', message, evidenceOf(known, answer));
}

/** Why the board has no tree of the known size; the refusal itself if that is not clear. */
async function explained(
  { client, identity, policy }: Asked,
  known: Known,
  before: TrustedCheckpoint,
  refusal: Refusal,
): Promise<Error> {
  const key = await askLogKey(client, identity);
  if (key && key.name !== known.key.name) return replaced(known, key, key.vkey);
  const answer = await client.text(`${identity.board}/${logPathOf(known.key.name)}/checkpoint`);
  try {
    const { size } = await checkCheckpoint(
      answer,
      trusting([known.key], policy),
      PROOF_TOOLS.verify,
    );
    if (size >= before.size) return refusal;
    const message = `its public log went back from ${figure(before.size)} entries to ${figure(size)}`;
    return new LogContradiction('log_rewound', message, evidenceOf(known, answer), answer);
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    return contradictionOf(error, known, answer);
  }
}

function replaced(known: Known, key: TrustedKey, answer: string): LogContradiction {
  const message = `it began a new public log, ${key.name}, which does not extend ${known.key.name}`;
  return new LogContradiction('log_replaced', message, evidenceOf(known, answer), answer);
}

function contradictionOf({ code, message }: NoteError, known: Known, answer: string) {
  const evidence = evidenceOf(known, answer);
  if (code !== 'consistency_invalid') {
    const text = `its answer about the public log is not valid: ${message}`;
    return new LogContradiction('log_invalid', text, evidence);
  }
  const size = figure(known.checkpoint?.size ?? 0);
  const text = `its public log is not the one with ${size} entries that it showed before`;
  return new LogContradiction('log_split', text, evidence, answer);
}

function evidenceOf({ checkpoint }: Known, answer: string): Record<string, string> {
  return { ...(checkpoint && { 'before.checkpoint': checkpoint.note }), 'answer.txt': answer };
}
