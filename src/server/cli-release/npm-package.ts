/** A package as npm installs it, with the same bytes on every machine that makes it of the same files. */
import { crc32 } from 'node:zlib';
import { packTar } from 'modern-tar';

export interface PackedFile {
  /** Its path in the package. */
  name: string;
  bytes: Uint8Array;
  isProgram?: boolean;
}

/** The instant that npm gives every file which it packs: one that all systems can show. */
const MTIME = new Date('1985-10-26T08:15:00Z');

/** Packs files in the order given. */
export async function npmPackage(files: readonly PackedFile[]): Promise<Buffer> {
  const entries = files.map(({ name, bytes, isProgram = false }) => ({
    header: {
      name: `package/${name}`,
      size: bytes.length,
      mode: isProgram ? 0o755 : 0o644,
      mtime: MTIME,
      uid: 0,
      gid: 0,
    },
    body: bytes,
  }));
  return storedGzip(await packTar(entries));
}

/** No name, no time, and no word on the system that made it. */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
const MAX_STORED = 0xffff;

/**
 * Wraps bytes as gzip without compressing them: what a compressor makes of them differs between
 * versions and processors of zlib, and this cannot.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc1951#section-3.2.4 | RFC 1951, section 3.2.4}
 */
export function storedGzip(bytes: Uint8Array): Buffer {
  const parts: Uint8Array[] = [GZIP_HEADER];
  for (let start = 0; start === 0 || start < bytes.length; start += MAX_STORED) {
    const block = bytes.subarray(start, start + MAX_STORED);
    const head = Buffer.alloc(5);
    head.writeUInt8(start + MAX_STORED >= bytes.length ? 1 : 0, 0);
    head.writeUInt16LE(block.length, 1);
    head.writeUInt16LE(~block.length & MAX_STORED, 3);
    parts.push(head, block);
  }
  const tail = Buffer.alloc(8);
  tail.writeUInt32LE(crc32(bytes), 0);
  tail.writeUInt32LE(bytes.length % 2 ** 32, 4);
  return Buffer.concat([...parts, tail]);
}
