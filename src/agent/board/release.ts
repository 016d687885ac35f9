import { createHash } from 'node:crypto';
import * as z from 'zod';
import { RELEASE_PATH, Release } from '#core/schema/release.ts';
import { EXIT, Failure } from '../failure.ts';
import { jsonAs } from '../json-as.ts';
import { unreachable } from './failure.ts';
import type { Client } from './client.ts';

const TIMEOUT_MS = 120_000;
const MAX_DESCRIPTION_BYTES = 64 << 10;
const MAX_PROGRAM_BYTES = 32 << 20;

/** The part that is read here. A newer board may send relative URLs. */
const ReleaseAnswer = Release.pick({ name: true, version: true }).extend({
  file: Release.shape.file.extend({ url: z.string() }),
});
export type ReleaseAnswer = z.infer<typeof ReleaseAnswer>;

/**
 * The description of the program that a board serves.
 *
 * @throws {Failure} `network` if there is none.
 */
export async function askRelease(client: Client, board: string): Promise<ReleaseAnswer> {
  const url = board + RELEASE_PATH;
  const bytes = await download(client, url, MAX_DESCRIPTION_BYTES);
  const release = jsonAs(ReleaseAnswer, bytes.toString('utf8'));
  if (release) return release;
  throw new Failure(EXIT.network, `${url} is not a description of opbench`);
}

/**
 * Downloads the program and checks it against its description.
 *
 * @throws {Failure} `network` if the download fails; `refused` if the file differs from its description.
 */
export async function fetchProgram(
  client: Client,
  board: string,
  release: ReleaseAnswer,
): Promise<Buffer> {
  const { url, integrity } = release.file;
  const address = URL.canParse(url, board) ? new URL(url, board) : null;
  if (address?.origin !== board) {
    throw new Failure(EXIT.refused, `${board} refers to another host for the program: ${url}`);
  }
  const bytes = await download(client, address.href, MAX_PROGRAM_BYTES);
  const digest = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
  if (digest === integrity) return bytes;
  const message = `The SHA-512 of ${address.href} is not the one in ${board}${RELEASE_PATH}`;
  throw new Failure(
    EXIT.refused,
    message,
    'Nothing was changed. Try again. If it happens again, contact the admin of the board.',
  );
}

async function download(client: Client, url: string, mostBytes: number): Promise<Buffer> {
  const body = await client.file(url, AbortSignal.timeout(TIMEOUT_MS));
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > mostBytes) throw new Failure(EXIT.network, `${url} is too large`);
    }
  } catch (error) {
    throw error instanceof Failure ? error : unreachable(url, error);
  }
  return Buffer.concat(chunks);
}
