/**
 * Zip archives whose bytes depend only on their files.
 *
 * @module
 */
import { crc32 } from 'node:zlib';

interface ZippedFile {
  /** The path, with slashes. */
  name: string;
  bytes: Uint8Array;
}

/** The earliest date that the format can express: 1 Jan 1980, at midnight. */
const DATE = 0x21;
/** Names are UTF-8. */
const UTF8_NAMES = 0x800;
const VERSION = 20;
/** Made on a Unix system, so that the permissions count. */
const UNIX = 3 << 8;
const READABLE_FILE = 0o100644;

/**
 * Packs files without compressing them, because compressed bytes differ between zlib versions and processors.
 *
 * @see {@link https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT | APPNOTE, sections 4.3.7, 4.3.12 and 4.3.16}
 */
export function storedZip(files: readonly ZippedFile[]): Buffer {
  const parts: Uint8Array[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes } of files) {
    const path = Buffer.from(name);
    const fields = fieldsOf(bytes, path);
    const header = Buffer.concat([Buffer.from('PK\x03\x04'), fields, path]);
    directory.push(directoryEntry(fields, path, offset));
    parts.push(header, bytes);
    offset += header.length + bytes.length;
  }
  const entries = Buffer.concat(directory);
  return Buffer.concat([...parts, entries, endRecord(files.length, entries.length, offset)]);
}

/** The fields that the header of a file and its entry in the directory have in common. */
function fieldsOf(bytes: Uint8Array, { length }: Buffer): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(VERSION, 0);
  fields.writeUInt16LE(UTF8_NAMES, 2);
  fields.writeUInt16LE(DATE, 8);
  fields.writeUInt32LE(crc32(bytes), 10);
  fields.writeUInt32LE(bytes.length, 14);
  fields.writeUInt32LE(bytes.length, 18);
  fields.writeUInt16LE(length, 22);
  return fields;
}

function directoryEntry(fields: Buffer, path: Buffer, offset: number): Buffer {
  const start = Buffer.from('PK\x01\x02\0\0');
  start.writeUInt16LE(UNIX | VERSION, 4);
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(READABLE_FILE * 2 ** 16, 6);
  rest.writeUInt32LE(offset, 10);
  return Buffer.concat([start, fields, rest, path]);
}

function endRecord(files: number, length: number, offset: number): Buffer {
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(files, 8);
  end.writeUInt16LE(files, 10);
  end.writeUInt32LE(length, 12);
  end.writeUInt32LE(offset, 16);
  return end;
}
