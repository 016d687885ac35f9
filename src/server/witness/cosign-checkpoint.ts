/** Answers boards that ask this board to cosign a checkpoint of their log. */
import { DomainError } from '#core/domain/text/errors.ts';
import { parseVkey } from '#core/domain/tlog/note-key.ts';
import { NoteError } from '#core/domain/tlog/note-error.ts';
import { noteOf, signatureBy, signatureLine, verifyNote } from '#core/domain/tlog/note.ts';
import {
  type WitnessRefusal,
  type WitnessRequest,
  parseWitnessRequest,
  witnessRefusal,
} from '#core/domain/tlog/witness.ts';
import type { AppContext } from '../context.ts';
import { replaceFile } from '../process/atomic-file.ts';
import { sha256, verifyEd25519 } from '../process/crypto.ts';
import { type SignedCheckpoint, readLargest } from '../public-log/checkpoint-file.ts';
import { readWitnessKey } from './witness-key.ts';
import { cosignedPath } from './witnessed-logs.ts';

type Ctx = Pick<AppContext, 'config' | 'logger' | 'now' | 'store'>;

export interface WitnessResponse {
  status: 200 | 400 | 403 | 404 | 409 | 422;
  type: 'text/plain' | 'text/x.tlog.size';
  body: string;
}

/**
 * Cosigns a checkpoint if it extends the one that this board cosigned last.
 *
 * @param body An old size, a consistency proof and a checkpoint.
 * @throws {DomainError} `service_unavailable` if what the board cosigned cannot be read.
 * @see {@link https://c2sp.org/tlog-witness@v1.0.0 | C2SP tlog-witness v1.0.0}
 */
export async function cosignCheckpoint(ctx: Ctx, body: string): Promise<WitnessResponse> {
  let request: WitnessRequest;
  try {
    request = parseWitnessRequest(body);
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    return refused(400, error.message);
  }
  const { origin } = request.checkpoint;
  const log = ctx.store.witnessedLogs.byOrigin(origin);
  if (!log) return refused(404, `This board does not witness the log ${origin}`);
  const key = parseVkey(log.vkey, sha256);
  try {
    await verifyNote(request.note, key, verifyEd25519);
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    return refused(403, error.message);
  }
  const signature = signatureBy(key, request.note);
  const signed = noteOf(request.note.text, signature ? [signature] : []);
  return extend(ctx, request, signed);
}

/** Synchronous from reading to writing, so that two requests cannot extend the same checkpoint differently. */
function extend(ctx: Ctx, request: WitnessRequest, signed: string): WitnessResponse {
  const { checkpoint, note } = request;
  const path = cosignedPath(ctx.config, checkpoint.origin);
  const [key, latest] = [readWitnessKey(ctx.config), lastCosigned(path)];
  if (!key) throw new DomainError('service_unavailable', 'The key of this witness is missing');
  const refusal = witnessRefusal(request, latest, sha256);
  if (refusal) {
    logContradiction(ctx, request, { refusal, latest, signed });
    if (refusal.status !== 409) return refused(refusal.status, refusal.message);
    return { status: 409, type: 'text/x.tlog.size', body: `${latest?.size ?? 0}\n` };
  }
  // Nothing is cosigned before it is durable. A tree of the same size is the same tree.
  if (latest?.size !== checkpoint.size) replaceFile(path, signed);
  const seconds = Math.floor(ctx.now().getTime() / 1000);
  return { status: 200, type: 'text/plain', body: signatureLine(key.cosign(note.text, seconds)) };
}

/** What was forgotten must not be taken for what was never cosigned. */
function lastCosigned(path: string): SignedCheckpoint | null {
  try {
    return readLargest(path);
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    throw new DomainError('service_unavailable', 'The last cosigned checkpoint cannot be read');
  }
}

interface Refused {
  refusal: WitnessRefusal;
  latest: SignedCheckpoint | null;
  signed: string;
}

/** A signed checkpoint that does not continue the last one is evidence that the log showed two histories. */
function logContradiction(
  { logger }: Ctx,
  { oldSize, checkpoint: { origin, size } }: WitnessRequest,
  { refusal: { status, message: reason }, latest, signed: evidence }: Refused,
): void {
  const isOtherTree = status === 409 && latest?.size === oldSize;
  if (status !== 422 && !isOtherTree) return;
  logger.warn('witness_refused', { origin, old_size: oldSize, size, reason, evidence });
}

function refused(status: WitnessResponse['status'], message: string): WitnessResponse {
  return { status, type: 'text/plain', body: `${message}\n` };
}
