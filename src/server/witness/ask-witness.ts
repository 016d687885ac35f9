/** Asks one witness to cosign a checkpoint. */
import { checkpointText, parseCount } from '#core/domain/tlog/checkpoint.ts';
import { verifyCosignature } from '#core/domain/tlog/cosignature.ts';
import { NoteError } from '#core/domain/tlog/note-error.ts';
import { type NoteSignature, parseSignatures, signatureBy } from '#core/domain/tlog/note.ts';
import type { Witness } from '../config/witness-policy.ts';
import { boundedFetch } from '../identity/provider/bounded-fetch.ts';
import { verifyEd25519 } from '../process/crypto.ts';
import type { SignedCheckpoint } from '../public-log/checkpoint-file.ts';
import type { WitnessStateName } from './witness-state.ts';

/** How long a witness may take to answer. */
const TIMEOUT_MS = 10_000;
/** How far the clock of a witness may be ahead. */
const MAX_AHEAD_S = 300;
const MAX_DETAIL = 200;

export type WitnessAnswer =
  | { state: 'cosigned'; signature: NoteSignature; seconds: number }
  | { state: Exclude<WitnessStateName, 'cosigned'>; detail: string | null };

export interface WitnessQuestion {
  checkpoint: SignedCheckpoint;
  /** The size of the checkpoint that the witness cosigned last, as far as the board knows. */
  oldSize: number;
  /** The body of a request that begins at a size. */
  bodyFrom: (oldSize: number) => string;
  now: Date;
  timeoutMs?: number | undefined;
}

/** Never throws for anything that a witness does. */
export async function askWitness(
  witness: Witness,
  question: WitnessQuestion,
): Promise<WitnessAnswer> {
  try {
    const first = await post(witness, question, question.oldSize);
    if (first.status !== 409) return await answerOf(witness, question, first);
    const size = parseCount(first.text.replace(/\n$/, ''));
    if (size === null) return failed('The response with the status 409 has no size');
    const { checkpoint, oldSize } = question;
    if (size > checkpoint.size) return { state: 'ahead', detail: `It knows ${size} entries` };
    // The witness cosigned a tree of this size, but with another root.
    if (size === oldSize && size === checkpoint.size)
      return { state: 'inconsistent', detail: null };
    const second = await post(witness, question, size);
    const isOther = second.status === 409 && size === checkpoint.size;
    if (isOther) return { state: 'inconsistent', detail: null };
    return await answerOf(witness, question, second);
  } catch (error) {
    return failed(reasonOf(error));
  }
}

interface Reply {
  status: number;
  text: string;
}

async function post({ url }: Witness, question: WitnessQuestion, size: number): Promise<Reply> {
  const response = await boundedFetch(
    `${url}/add-checkpoint`,
    {
      method: 'POST',
      headers: { 'Content-Type': 'text/plain; charset=utf-8', 'User-Agent': 'opbench-board' },
      body: question.bodyFrom(size),
    },
    question.timeoutMs ?? TIMEOUT_MS,
  );
  return { status: response.status, text: await response.text() };
}

async function answerOf(
  { key }: Witness,
  { checkpoint, now }: WitnessQuestion,
  { status, text }: Reply,
): Promise<WitnessAnswer> {
  if (status === 404) return { state: 'unknown_log', detail: null };
  if (status === 403) return { state: 'wrong_key', detail: null };
  if (status === 422) return { state: 'inconsistent', detail: null };
  if (status !== 200) return failed(`HTTP ${status}`);
  const note = { text: checkpointText(checkpoint), signatures: parseSignatures(text) };
  const seconds = await verifyCosignature(note, key, verifyEd25519);
  const signature = signatureBy(key, note);
  if (seconds === null || !signature) return failed('The response has no cosignature by its key');
  if (seconds > now.getTime() / 1000 + MAX_AHEAD_S) return failed('Its clock is ahead');
  return { state: 'cosigned', signature, seconds };
}

function failed(detail: string): WitnessAnswer {
  return { state: 'failed', detail: detail.slice(0, MAX_DETAIL) };
}

function reasonOf(error: unknown): string {
  if (error instanceof NoteError) return error.message;
  if (error instanceof Error && error.name === 'TimeoutError')
    return 'No complete response in time';
  // The cause of a failed request says more than the error.
  const cause = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
  return cause.code ?? cause.message;
}
