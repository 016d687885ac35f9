/** The keys of the objects that are not part of the facts or of the log. */

/** Names the machine that may write. */
export const WRITER_KEY = 'writer';
/** Names everything that readers show. Written last. */
export const CURRENT_KEY = 'current';

export const PUBLICATIONS = 'publications/';
export const FACTS = 'facts/';
export const LOG = 'log/';
export const ASSETS = 'assets/';
export const PARQUET = 'parquet/';

export function publicationKey(id: number): string {
  return `${PUBLICATIONS}${id}`;
}

/** What must be deleted when a board becomes one for members. */
export const PUBLIC_DATA: readonly string[] = [PUBLICATIONS, FACTS, LOG, PARQUET];
