/** An entry of the index as plain JSON, short to write and quick to read. */
import { type Packed, pack, unpack } from './columns.ts';
import type { Entry } from './read-log.ts';

type KeptEntry = Omit<Entry, 'usage'> & { usage: Packed };

export function textOfEntry(entry: Entry): string {
  const kept: KeptEntry = { ...entry, usage: pack(entry.usage) };
  return JSON.stringify(kept);
}

/** The entry of a text that {@linkcode textOfEntry} made. */
export function parseEntry(text: string): Entry {
  return fromKept(JSON.parse(text) as KeptEntry);
}

/** The entries of texts in a list. */
export function parseEntries(list: string): Entry[] {
  return (JSON.parse(list) as KeptEntry[]).map(fromKept);
}

function fromKept({ usage, ...entry }: KeptEntry): Entry {
  return { ...entry, usage: unpack(usage) };
}
