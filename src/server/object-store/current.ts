/** The object `current`, from which readers know what to show. */
import * as z from 'zod';
import { PUBLICATION_FORMAT } from '#db/publications.ts';
import { CURRENT_KEY } from './keys.ts';
import { type Found, readJson } from './json-object.ts';
import type { GetOptions, ObjectStore, PlainGetOptions } from './object-store.ts';

const Id = z.int().nonnegative();

export const CURRENT_FORMAT = 1;

const Current = z.looseObject({
  format: z.literal(CURRENT_FORMAT),
  /** The program that wrote it. */
  version: z.string(),
  /** The claim of the machine that wrote it (`writer`). */
  writer: z.string(),
  base_url: z.string(),
  /** A board for members publishes only this object, without publications. */
  access: z.enum(['open', 'members']),
  /** The newest publication. If it is below `least`, it must not be shown, and the next one is being uploaded. */
  publication: Id,
  /** The form of the publications, which only programs with the same number can read. */
  publication_format: z.int(),
  /** Up to three publications that readers keep for cursors, oldest first. */
  kept: z.array(Id),
  /** The objects that are needed to read them, oldest first. */
  chain: z.array(Id),
  /** The least publication that may still be shown. */
  least: Id,
  /** The key of the index of facts; null if nothing is shown. */
  facts: z.string().nullable(),
  written_at: z.string(),
  /** The number of the log, which is 1 unless a restored board had to begin a new one. */
  log_generation: z.int().positive(),
  /** The size of the checkpoint in the store. */
  log_size: Id,
});
export type Current = z.output<typeof Current>;

/** Reads it; null if there is none yet. */
export function readCurrent(
  store: Pick<ObjectStore, 'get'>,
  options?: PlainGetOptions,
): Promise<Found<Current> | null>;
export function readCurrent(
  store: Pick<ObjectStore, 'get'>,
  options: GetOptions,
): Promise<Found<Current> | 'unchanged' | null>;
export function readCurrent(store: Pick<ObjectStore, 'get'>, options: GetOptions = {}) {
  return readJson(store, { key: CURRENT_KEY, schema: Current }, options);
}

/** Whether this program can read the publications. */
export function isReadable({ publication_format }: Current): boolean {
  return publication_format === PUBLICATION_FORMAT;
}
