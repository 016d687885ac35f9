/**
 * The claim of the machine that may write, in the object `writer` and in a file of its data folder. Another machine
 * becomes the writer by replacing the object. The file is not in backups, so a restored copy does not have the claim.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { replaceFile } from '../process/atomic-file.ts';
import { type Found, JSON_OBJECT, jsonBytes, readJson } from './json-object.ts';
import { WRITER_KEY } from './keys.ts';
import {
  type GetOptions,
  type ObjectStore,
  ObjectStoreError,
  type PlainGetOptions,
} from './object-store.ts';

const WriterClaim = z.looseObject({
  format: z.literal(1),
  /** The ID of the claim, which only the machine with the file has. */
  writer: z.uuid(),
  since: z.string(),
  /** How many entries the log had. */
  log_size: z.int().nonnegative(),
  /** When another machine became the writer. Only in the file. */
  replaced_at: z.string().optional(),
});
export type WriterClaim = z.output<typeof WriterClaim>;

type FoundClaim = Found<WriterClaim>;
type Reads = Pick<ObjectStore, 'get'>;

/** Another machine became the writer, so this one must write nothing any more. */
export class FencedError extends Error {
  override readonly name = 'FencedError';
  readonly since: string;

  constructor({ since }: Pick<WriterClaim, 'since'>) {
    super(`Another machine became the writer of this board at ${since}. This one must not write.`);
    this.since = since;
  }
}

interface ClaimOptions {
  dataDir: string;
  logSize: number;
  now: Date;
}

export function claimPath(dataDir: string): string {
  return join(dataDir, 'writer-claim.json');
}

/** The claim of this data folder; null if it has none. */
export function ownClaim(dataDir: string): WriterClaim | null {
  try {
    return WriterClaim.parse(JSON.parse(readFileSync(claimPath(dataDir), 'utf8')));
  } catch {
    return null;
  }
}

/** Notes that another machine has the claim, so that this one also knows it when it cannot ask. The disk may be full. */
export function noteReplaced(dataDir: string, own: WriterClaim, { since }: FencedError): void {
  try {
    writeOwn(dataDir, { ...own, replaced_at: since });
  } catch {
    // The store says it, too.
  }
}

/** @throws {FencedError} if another machine became the writer while this one was. */
export function refuseReplaced(dataDir: string): void {
  const since = ownClaim(dataDir)?.replaced_at;
  if (since !== undefined) throw new FencedError({ since });
}

/** A start waits for the answers. */
const PATIENCE = { timeoutMs: 3_500, attempts: 2 };

/** The claim in the store; null if there is none. */
export function readClaim(store: Reads, options?: PlainGetOptions): Promise<FoundClaim | null>;
export function readClaim(
  store: Reads,
  options: GetOptions,
): Promise<FoundClaim | 'unchanged' | null>;
export function readClaim(store: Reads, options: GetOptions = PATIENCE) {
  return readJson(store, { key: WRITER_KEY, schema: WriterClaim }, options);
}

/** Whether this data folder has the claim in the store. */
export async function hasClaim(store: Reads, dataDir: string): Promise<boolean> {
  const found = await readClaim(store);
  return found !== null && found.value.writer === ownClaim(dataDir)?.writer;
}

/**
 * Confirms that this data folder has the claim. Claims a store that has none.
 *
 * @throws {FencedError} if another machine has it.
 * @throws {ObjectStoreError}
 */
export async function confirmClaim(
  store: Pick<ObjectStore, 'get' | 'put'>,
  { dataDir, logSize, now }: ClaimOptions,
): Promise<WriterClaim> {
  refuseReplaced(dataDir);
  const found = await readClaim(store);
  const own = ownClaim(dataDir);
  if (found) {
    if (own?.writer !== found.value.writer) throw new FencedError(found.value);
    return own;
  }
  const claim = own ?? newClaim(logSize, now);
  writeOwn(dataDir, claim);
  try {
    await putClaim(store, claim, null);
  } catch (error) {
    if (!(error instanceof ObjectStoreError) || error.fault !== 'changed') throw error;
  }
  // Another machine may have claimed it at the same time, and some stores ignore the condition.
  return haveOwn(store, claim);
}

/**
 * Makes this data folder that of the writer. The writer so far stops within seconds, once it sees that.
 *
 * @param options `before` is the claim that is taken over; null for none.
 * @throws {ObjectStoreError} `changed` if another machine did the same meanwhile.
 */
export async function takeOverClaim(
  store: Pick<ObjectStore, 'get' | 'put'>,
  { before, dataDir, logSize, now }: ClaimOptions & { before: { etag: string } | null },
): Promise<WriterClaim> {
  const claim = newClaim(logSize, now);
  await putClaim(store, claim, before?.etag ?? null);
  await haveOwn(store, claim);
  writeOwn(dataDir, claim);
  return claim;
}

/** Without the condition where the store does not know it. The caller then reads which machine has the claim. */
async function putClaim(
  store: Pick<ObjectStore, 'put'>,
  claim: WriterClaim,
  ifMatch: string | null,
): Promise<void> {
  const options = { ...JSON_OBJECT, ...PATIENCE };
  try {
    await store.put(WRITER_KEY, jsonBytes(claim), { ...options, ifMatch });
  } catch (error) {
    if (!(error instanceof ObjectStoreError) || error.fault !== 'refused') throw error;
    await store.put(WRITER_KEY, jsonBytes(claim), options);
  }
}

async function haveOwn(store: Reads, claim: WriterClaim): Promise<WriterClaim> {
  const found = await readClaim(store);
  if (found?.value.writer === claim.writer) return claim;
  if (found) throw new FencedError(found.value);
  throw new ObjectStoreError('refused', 'The object store lost the object "writer".');
}

function newClaim(log_size: number, now: Date): WriterClaim {
  return { format: 1, writer: randomUUID(), since: now.toISOString(), log_size };
}

function writeOwn(dataDir: string, claim: WriterClaim): void {
  replaceFile(claimPath(dataDir), jsonBytes(claim).toString());
}
