/** A stored publication in one object: a line of JSON, then its sections as the database has them. */
import * as z from 'zod';
import type { StoredPublication } from '#db/publications.ts';
import type { Store } from '#db/store.ts';
import type { Readable } from '../publication/stored/sections.ts';
import { ObjectStoreError } from './object-store.ts';

const Header = z.looseObject({
  id: z.int(),
  base: z.int(),
  log_index: z.int(),
  as_of: z.string(),
  ruleset: z.string(),
  generated_at: z.string(),
  sections: z.array(z.tuple([z.string(), z.int().nonnegative()])),
});

const NEWLINE = 0x0a;

export interface PublicationObject {
  head: StoredPublication;
  sections: ReadonlyMap<string, Buffer>;
}

/**
 * Packs a publication, one section in each step. Returns null if it was deleted meanwhile, because something in it must
 * not be shown any more.
 */
export function* packPublication(
  { publications }: Pick<Store, 'publications'>,
  head: StoredPublication,
): Generator<undefined, Buffer | null> {
  const sections = publications.sections(head.id);
  const header = { ...head, sections: sections.map(({ section, bytes }) => [section, bytes]) };
  const line = Buffer.from(`${JSON.stringify(header)}\n`);
  const whole = Buffer.alloc(sections.reduce((sum, { bytes }) => sum + bytes, line.length));
  let at = line.copy(whole);
  for (const { section, bytes } of sections) {
    yield;
    const piece = publications.section(head.id, section);
    if (piece.length !== bytes) return null;
    at += piece.copy(whole, at);
  }
  return sections.length === 0 ? null : whole;
}

/** @throws {ObjectStoreError} `refused` if it is not a publication. */
export function unpackPublication(bytes: Buffer): PublicationObject {
  const { sections: lengths, ...head } = headerOf(bytes);
  let from = bytes.indexOf(NEWLINE) + 1;
  const sections = new Map<string, Buffer>();
  for (const [name, length] of lengths) {
    sections.set(name, bytes.subarray(from, from + length));
    from += length;
  }
  if (from !== bytes.length) throw damaged();
  return { head, sections };
}

/**
 * Publications as `readPublications` reads them.
 *
 * @param objects Those that are needed, oldest first.
 * @param kept The numbers of those that are read.
 */
export function readableFrom(
  objects: readonly PublicationObject[],
  kept: readonly number[],
): Readable {
  const heads = objects.map(({ head }) => head);
  return {
    publications: {
      kept: () => heads.filter(({ id }) => kept.includes(id)).toReversed(),
      builtOn: (base) => heads.filter((head) => head.base === base),
      section: (id, name) => {
        const section = objects.find(({ head }) => head.id === id)?.sections.get(name);
        if (!section) throw damaged();
        return section;
      },
    },
  };
}

function headerOf(bytes: Buffer) {
  try {
    return Header.parse(JSON.parse(bytes.subarray(0, bytes.indexOf(NEWLINE)).toString('utf8')));
  } catch {
    throw damaged();
  }
}

function damaged(): ObjectStoreError {
  return new ObjectStoreError('refused', 'A publication in the object store is damaged.');
}
