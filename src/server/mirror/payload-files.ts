/** The payloads of a mirror: one file for the entries of each bundle, and what is known about it. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { type BareEntry, bareEntry } from '#core/domain/log/bare-entry.ts';
import { TILE_WIDTH } from '#core/domain/tlog/tile.ts';
import { readPayloadLine } from '#core/domain/log/payload-line.ts';
import type { EntryLine } from '#core/schema/public-log.ts';
import { sha256 } from '../process/crypto.ts';
import type { MirrorFolder } from './folder.ts';
import { linesIn } from './lines.ts';
import { MirrorFault } from './mirror-error.ts';
import { type TreeFiles, fileOf, payloadFile } from './tree-files.ts';

const PayloadSum = z.strictObject({
  sha256: z.string(),
  /** The board's tag of the file, if the mirror took all of its lines. */
  etag: z.string().nullable(),
  /** How many entries of the bundle the file is about. */
  width: z.int(),
  /** The indexes of the entries that have a line. */
  rows: z.array(z.int()),
});
/** What is known about a file of payloads, whose lines were checked before it was written. */
export type PayloadSum = z.infer<typeof PayloadSum>;

const sumFile = (number: number) => `sums/${payloadFile(number).slice('log/payload/'.length)}`;

export function writeSum(folder: MirrorFolder, number: number, sum: PayloadSum): void {
  folder.write(sumFile(number), JSON.stringify(sum));
}

/** What is known about a file of payloads. Null if nothing is. */
export function readSum(folder: MirrorFolder, number: number): PayloadSum | null {
  const bytes = folder.read(sumFile(number));
  if (!bytes) return null;
  try {
    return PayloadSum.parse(JSON.parse(bytes.toString()));
  } catch {
    return null;
  }
}

/** Whether a file of payloads is exactly the one that was checked. */
export async function isIntact(
  folder: MirrorFolder,
  number: number,
  sum: PayloadSum,
): Promise<boolean> {
  const hash = createHash('sha256');
  try {
    const chunks = createReadStream(join(folder.path, payloadFile(number)));
    for await (const chunk of chunks) hash.update(chunk as Buffer);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
  return hash.digest('hex') === sum.sha256;
}

/**
 * The entries of a bundle, without their payloads.
 *
 * @throws {MirrorFault} if a leaf is not the text of an entry, or in the wrong place.
 */
export function bareEntriesOf(files: TreeFiles, number: number): BareEntry[] {
  const leaves = files.bundle(number);
  const file = fileOf({ level: 'entries', number });
  if (!leaves) throw new MirrorFault(file, 'is missing or damaged in this mirror');
  return leaves.map((leaf, at) => {
    const entry = bareEntry(leaf, sha256);
    if (entry?.log_index === number * TILE_WIDTH + at + 1) return entry;
    throw new MirrorFault(file, `does not have entry ${number * TILE_WIDTH + at + 1} in its place`);
  });
}

/** Yields the entries of a bundle with the payloads that the mirror has, in the form of the log's file. */
export async function* entriesOf(
  folder: MirrorFolder,
  files: TreeFiles,
  number: number,
): AsyncGenerator<EntryLine> {
  const bare = bareEntriesOf(files, number);
  const sum = readSum(folder, number);
  const lines = sum
    ? linesIn(payloadFile(number), createReadStream(join(folder.path, payloadFile(number))))
    : null;
  const next = async () => {
    const line = await lines?.next();
    if (!line || line.done === true) return null;
    const payload = readPayloadLine(line.value);
    if (payload) return payload;
    throw new MirrorFault(payloadFile(number), 'was damaged in this mirror');
  };
  let payload = await next();
  for (const entry of bare) {
    if (payload?.log_index !== entry.log_index) {
      yield { ...entry, check: '' };
      continue;
    }
    yield { ...entry, ...payload, check: '' };
    payload = await next();
  }
}
