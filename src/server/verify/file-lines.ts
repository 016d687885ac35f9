import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { StoreError } from '#db/engine/store-error.ts';

/** No line that a board writes is longer: a snapshot of 4 MiB, escaped or encoded once more. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

const LINE_FEED = 10;
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);
const SQLITE_MAGIC = Buffer.from('SQLite format 3\0');

/**
 * The lines of a text file, packed or not, one at a time and without their line feeds. A last line that has none was
 * cut off, and is left out.
 *
 * @throws {StoreError} `missing` or `wrong_kind` if it is no text, `damaged` if what is packed cannot be unpacked.
 */
export async function* linesIn(path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let rest: Buffer[] = [];
  let length = 0;
  for await (const chunk of await bytesIn(path)) {
    let from = 0;
    for (let to = chunk.indexOf(LINE_FEED); to >= 0; to = chunk.indexOf(LINE_FEED, from)) {
      rest.push(chunk.subarray(from, to));
      yield textOf(Buffer.concat(rest), decoder);
      rest = [];
      length = 0;
      from = to + 1;
    }
    rest.push(chunk.subarray(from));
    length += chunk.length - from;
    if (length > MAX_LINE_BYTES) throw damaged('a line of it is longer than any line may be');
  }
}

async function bytesIn(path: string): Promise<AsyncIterable<Buffer>> {
  const head = await headOf(path);
  if (SQLITE_MAGIC.equals(head)) {
    const message = `${path} is a database, as opbench-board backup writes it: opbench-board restore ${path} takes it`;
    throw new StoreError('wrong_kind', message);
  }
  const bytes = createReadStream(path);
  return GZIP_MAGIC.equals(head.subarray(0, 2)) ? unpacked(bytes) : bytes;
}

async function* unpacked(bytes: NodeJS.ReadableStream): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  bytes.once('error', (error) => gunzip.destroy(error));
  try {
    for await (const chunk of bytes.pipe(gunzip)) yield chunk as Buffer;
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw code.startsWith('Z_') ? damaged(`it cannot be unpacked (${message})`) : error;
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
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(16), position: 0 });
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

function textOf(line: Buffer, decoder: TextDecoder): string {
  try {
    return decoder.decode(line);
  } catch {
    throw damaged('a line of it is no text');
  }
}

function damaged(what: string): StoreError {
  return new StoreError('damaged', `The file is damaged: ${what}. Copy it again`);
}
