/** Reads zip archives without compression, as their directory describes them. */
import { crc32 } from 'node:zlib';

const END = 'PK\x05\x06';
const ENTRY = 'PK\x01\x02';
const HEADER = 'PK\x03\x04';

/** The files of an archive by name, in the order of its directory. Throws if anything does not agree. */
export function unzipped(archive: Buffer): Map<string, Buffer> {
  const end = archive.lastIndexOf(END, undefined, 'latin1');
  const count = archive.readUInt16LE(end + 10);
  let at = archive.readUInt32LE(end + 16);
  const files = new Map<string, Buffer>();
  for (let entry = 0; entry < count; entry += 1) {
    demand(archive.toString('latin1', at, at + 4) === ENTRY, 'entry');
    const length = archive.readUInt16LE(at + 28);
    const name = archive.toString('utf8', at + 46, at + 46 + length);
    const bytes = bytesAt(archive, archive.readUInt32LE(at + 42), name);
    demand(archive.readUInt16LE(at + 10) === 0, 'method');
    demand(archive.readUInt32LE(at + 16) === crc32(bytes), 'checksum');
    demand(archive.readUInt32LE(at + 24) === bytes.length, 'size');
    files.set(name, bytes);
    at += 46 + length;
  }
  demand(at === end, 'end of the directory');
  return files;
}

function bytesAt(archive: Buffer, at: number, name: string): Buffer {
  demand(archive.toString('latin1', at, at + 4) === HEADER, 'header');
  const start = at + 30 + archive.readUInt16LE(at + 26) + archive.readUInt16LE(at + 28);
  demand(archive.toString('utf8', at + 30, start) === name, 'name');
  return archive.subarray(start, start + archive.readUInt32LE(at + 18));
}

function demand(isRight: boolean, what: string): void {
  if (!isRight) throw new Error(`The ${what} of the archive is wrong`);
}
