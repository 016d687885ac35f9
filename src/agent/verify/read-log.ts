import { type KeyObject, createHash, createPublicKey, verify } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type { CheckedBoard } from '#core/domain/log/board-check.ts';
import { isSoundPublicKey } from '#core/domain/signing/ed25519.ts';
import { LogCheck } from '#core/domain/log/log-check.ts';
import type { Findings } from '#core/domain/log/log-finding.ts';
import { LogReplay } from '#core/domain/log/log-replay.ts';
import { readLine } from '#core/domain/log/public-log-line.ts';
import { EXIT, Failure } from '../failure.ts';
import { sha256 } from '../state/sha256.ts';
import { KeptBoards, type KeptPlaces } from './live-boards.ts';
import { linesIn } from './lines.ts';
import { toBase64Url } from '#core/domain/text/base64.ts';

/** What both readings of a public log have found out. */
export interface ReadLog {
  check: LogCheck;
  boards: readonly CheckedBoard[];
  /** Those that readers see first. */
  kept: readonly KeptPlaces[];
  /** The hash of each entry that was asked for, if the file holds it. */
  hashes: ReadonlyMap<number, string>;
}

const TOOLS = {
  sha256,
  verify: verifyEd25519,
  isSoundPublicKey,
  createHash: () => createHash('sha256'),
};

/** A file that is no public log, as a page or a text is not. */
export class NoPublicLog extends Failure {}

/**
 * Reads a public log twice: once for all that stands in it, once to recompute its boards.
 *
 * @param wanted Entries whose hashes are wanted.
 * @throws {NoPublicLog} if no line of the file is one of a public log.
 * @throws {Failure} if the file cannot be read, or changes meanwhile.
 */
export async function readLog(
  path: string,
  findings: Findings,
  wanted: ReadonlySet<number>,
): Promise<ReadLog> {
  const before = await changeOf(path);
  const hashes = new Map<number, string>();
  const check = new LogCheck(TOOLS, findings);
  for await (const line of linesIn(path)) {
    if ('unreadable' in line) check.addUnreadable(line.unreadable);
    else {
      const read = check.add(line.text);
      if (read?.line === 'entry' && wanted.has(read.log_index)) {
        hashes.set(read.log_index, read.entry_hash);
      }
    }
  }
  check.finish();
  if (!check.isPublicLog) {
    throw new NoPublicLog(EXIT.usage, `${path} is no public log of a board`, NO_LOG);
  }
  const { boards, kept } = await recompute(path, check, findings);
  if ((await changeOf(path)) !== before) {
    throw new Failure(EXIT.usage, `${path} was changed while it was read`, 'Try again.');
  }
  return { check, boards, kept, hashes };
}

const NO_LOG = 'opbench-board export writes one, and a board serves its own at /log.ndjson.gz.';

async function recompute(
  path: string,
  { entries }: LogCheck,
  findings: Findings,
): Promise<Pick<ReadLog, 'boards' | 'kept'>> {
  if (!entries) return { boards: [], kept: [] };
  const kept = new KeptBoards();
  const replay = new LogReplay(entries, findings);
  let number = 0;
  for await (const line of linesIn(path)) {
    number += 1;
    const read = 'text' in line ? readLine(line.text, sha256).line : null;
    if (!read) {
      replay.lose();
      continue;
    }
    replay.add(read, number);
    kept.add(read);
  }
  replay.finish();
  return { boards: replay.boards, kept: kept.boards };
}

async function changeOf(path: string): Promise<string> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new Failure(EXIT.usage, `There is no file ${path}`, NO_LOG);
    throw new Failure(EXIT.usage, `${path} cannot be read: ${error.message}`);
  });
  if (found.isFile()) return `${found.size} ${found.mtimeMs}`;
  throw new Failure(EXIT.usage, `${path} is no file but a folder or a device`, NO_LOG);
}

/** Keys parsed before; bounded, because a log may hold any number. */
const MAX_CACHED_KEYS = 10_000;
const cachedKeys = new Map<string, KeyObject>();

/** The only point of small order that a sound key can give as R; OpenSSL versions differ on it. */
const IDENTITY = Buffer.from([1, ...Array<number>(31).fill(0)]);

/**
 * Verifies an Ed25519 signature by a key that was found sound, many times as fast as the strict verifier of
 * `core/domain/ed25519.ts`. OpenSSL compares the bytes of R, so with such a key both accept the same.
 */
export function verifyEd25519(
  message: Uint8Array,
  signature: Uint8Array,
  publicKey: Uint8Array,
): boolean {
  if (IDENTITY.equals(signature.subarray(0, 32))) return false;
  return verify(null, message, keyObject(publicKey), signature);
}

function keyObject(publicKey: Uint8Array): KeyObject {
  const x = toBase64Url(publicKey);
  const known = cachedKeys.get(x);
  if (known) return known;
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  if (cachedKeys.size >= MAX_CACHED_KEYS) cachedKeys.clear();
  cachedKeys.set(x, key);
  return key;
}
