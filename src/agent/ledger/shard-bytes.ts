/**
 * The responses of one tool and month as bytes: a line of JSON, then 64 bytes for each response. As text
 * they would have to be parsed and formatted as a whole whenever one is added.
 *
 * @module
 */
import { endianness } from 'node:os';
import { Shard } from './shard.ts';

interface Head {
  /** The rules of the reader that counted them. */
  rules: number | null;
  sources: Shard['sources'];
  /** How this machine orders the bytes of a number. */
  order: 'BE' | 'LE';
}

/** What a file of responses holds. */
export interface RuledShard {
  rules: number | null;
  shard: Shard;
}

export function bytesOfShard({ rules, shard }: RuledShard): Uint8Array {
  const head: Head = { rules, sources: shard.sources, order: endianness() };
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), shard.bytes]);
}

/** The shard of bytes that {@linkcode bytesOfShard} made; null if a machine of another kind did. */
export function parseShard(bytes: Buffer): RuledShard | null {
  const end = bytes.indexOf('\n');
  const { rules, sources, order } = JSON.parse(bytes.toString('utf8', 0, end)) as Head;
  if (order !== endianness()) return null;
  // Numbers have to begin at a multiple of their size: a copy begins at zero.
  const numbers = new Float64Array(new Uint8Array(bytes.subarray(end + 1)).buffer);
  return { rules, shard: new Shard(sources, numbers) };
}
