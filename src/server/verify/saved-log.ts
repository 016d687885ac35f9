/** A copy of the public log in a file that an admin names. */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { StoreError } from '#db/engine/store-error.ts';
import { LogCheck } from '#core/domain/log/log-check.ts';
import { Findings } from '#core/domain/log/log-finding.ts';
import type { EntryLine } from '#core/schema/public-log.ts';
import { CHECK_TOOLS } from './log.ts';

const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);
const SQLITE_MAGIC = Buffer.from('SQLite format 3\0');

/**
 * Checks all that stands in a copy, packed or not.
 *
 * @param take Takes each entry as it is read; what the copy tells holds only if nothing was found.
 * @throws {StoreError} `missing` or `wrong_kind` if it is no text, `damaged` if what is packed cannot be unpacked.
 */
export async function checkSavedLog(path: string, take: (entry: EntryLine) => void) {
  const found = new Findings();
  const check = new LogCheck(CHECK_TOOLS, found);
  for await (const text of linesIn(path)) {
    const line = check.add(text);
    if (line?.line === 'entry') take(line);
  }
  check.finish();
  return { isPublicLog: check.isPublicLog, found };
}

/** The lines one at a time; a last one without line feed was cut off, and is left out. */
async function* linesIn(path: string): AsyncGenerator<string> {
  const isPacked = GZIP_MAGIC.equals((await headOf(path)).subarray(0, 2));
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let rest = '';
  try {
    for await (const chunk of isPacked ? unpacked(path) : createReadStream(path)) {
      const lines = (rest + decoder.decode(chunk as Buffer, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (code.startsWith('Z_')) throw damaged(`it cannot be unpacked (${message})`);
    throw code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? damaged('a line of it is no text') : error;
  }
}

async function* unpacked(path: string): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  const bytes = createReadStream(path).once('error', (error) => gunzip.destroy(error));
  try {
    yield* bytes.pipe(gunzip) as AsyncIterable<Buffer>;
  } finally {
    gunzip.destroy();
  }
}

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    throw new StoreError('missing', `There is no file ${path}`);
  });
  try {
    if (!(await file.stat()).isFile()) {
      throw new StoreError('wrong_kind', `${path} is a folder or a device, no file`);
    }
    const { buffer } = await file.read({ buffer: Buffer.alloc(16), position: 0 });
    if (!SQLITE_MAGIC.equals(buffer)) return buffer;
    const message = `${path} is a database, as opbench-board backup writes it: opbench-board restore ${path} takes it`;
    throw new StoreError('wrong_kind', message);
  } finally {
    await file.close();
  }
}

function damaged(what: string): StoreError {
  return new StoreError('damaged', `The file is damaged: ${what}. Copy it again`);
}
