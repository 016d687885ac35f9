import type { Database } from 'better-sqlite3';
import { statementsIn } from './statements.ts';

const KEPT = 3;

/** Parts are small, so that no write transaction delays a submission. */
const PART_BYTES = 128 * 1024;

/** The version of the stored form. Publications in another version cannot be read. */
export const PUBLICATION_FORMAT = 7;

interface PublicationRow {
  id: number;
  log_index: number;
  as_of: string;
  ruleset: string;
  generated_at: string;
}

/** A publication that can be read: an image, which is its own base, or the changes since the one before. */
export type StoredPublication = PublicationRow & { base: number };

const READABLE = `complete = 1 AND format = ${PUBLICATION_FORMAT} AND base IS NOT NULL`;

export function publicationsIn(db: Database) {
  const sql = statementsIn(db);
  const insertPart = sql.run<(of: object) => void>(`
    INSERT INTO publication_parts (publication_id, section, part, body)
    VALUES (@publication_id, @section, @part, @body)`);
  const complete = sql.run<(of: object) => void>(`
    UPDATE publications SET complete = 1, base = @base WHERE id = @id`);
  const hideBefore = sql.run<(id: unknown) => void>(`
    UPDATE publications SET complete = 0 WHERE id < ?`);
  const removePart = sql.did<(id: unknown) => boolean>(`
    DELETE FROM publication_parts WHERE rowid =
      (SELECT rowid FROM publication_parts WHERE publication_id < ? LIMIT 1)`);
  const removeBefore = sql.run<(id: unknown) => void>('DELETE FROM publications WHERE id < ?');
  // Others are needed to read the newest ones.
  const firstNeeded = sql.value<() => number | null>(`
    SELECT min(base) FROM (
      SELECT base FROM publications WHERE ${READABLE} ORDER BY id DESC LIMIT ${KEPT})`);
  const markPublic = sql.run<(of: object) => void>(`
    UPDATE publications SET public_at = @public_at WHERE id = @id`);
  const oldest = sql.get<() => { log_index: number; public_at: string | null } | undefined>(`
    SELECT log_index, public_at FROM publications ORDER BY id LIMIT 1`);
  const parts = sql.values<(of: object) => Uint8Array[]>(`
    SELECT body FROM publication_parts WHERE publication_id = @id AND section = @section
    ORDER BY part`);

  const skipTo = sql.run<(of: object) => void>(`
    UPDATE sqlite_sequence SET seq = max(seq, @id) WHERE name = 'publications'`);

  /** Deletes all earlier publications in small parts. */
  const forgetBefore = (id: number) => {
    hideBefore(id);
    while (removePart(id));
    removeBefore(id);
  };

  return {
    /** Opens a publication. It cannot be read before {@linkcode complete}. */
    begin: sql.value<(row: Omit<PublicationRow, 'id'>) => number>(`
      INSERT INTO publications (log_index, as_of, ruleset, generated_at, format)
      VALUES (@log_index, @as_of, @ruleset, @generated_at, ${PUBLICATION_FORMAT}) RETURNING id`),
    addSection(publication_id: number, section: string, body: Uint8Array) {
      for (let part = 0; part * PART_BYTES < body.length; part += 1) {
        const slice = body.subarray(part * PART_BYTES, (part + 1) * PART_BYTES);
        insertPart({ publication_id, section, part, body: slice });
      }
    },
    /**
     * Makes a publication the newest, and deletes those that neither it nor the two before need.
     *
     * @param base The image that it builds on, or itself.
     */
    complete(id: number, base: number) {
      complete({ id, base });
      forgetBefore(firstNeeded() ?? id);
    },
    forgetBefore,
    markPublic: (id: number, public_at: string) => markPublic({ id, public_at }),
    isPublic: sql.has<(log_index: number) => boolean>(`
      SELECT 1 FROM publications WHERE public_at IS NOT NULL AND log_index >= ?`),
    /** Whether a publication of this many log entries is public, and none of fewer is left. */
    hasReplacedAll(log_index: number): boolean {
      const row = oldest();
      return row !== undefined && row.public_at !== null && row.log_index >= log_index;
    },
    /** The newest publications that can be read, newest first. */
    kept: sql.all<() => StoredPublication[]>(`
      SELECT id, log_index, as_of, ruleset, generated_at, base FROM publications
      WHERE ${READABLE} ORDER BY id DESC LIMIT ${KEPT}`),
    /** An image and the publications that build on it, oldest first. */
    builtOn: sql.all<(base: number) => StoredPublication[]>(`
      SELECT id, log_index, as_of, ruleset, generated_at, base FROM publications
      WHERE ${READABLE} AND base = ? ORDER BY id`),
    section: (id: number, section: string) => Buffer.concat(parts({ id, section })),
    /** The names and lengths of the sections of a publication, in the order in which they were stored. */
    sections: sql.all<(id: number) => { section: string; bytes: number }[]>(`
      SELECT section, sum(length(body)) AS bytes FROM publication_parts WHERE publication_id = ?
      GROUP BY section ORDER BY min(rowid)`),
    lastId: sql.value<() => number>(`
      SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'publications'`),
    /** Makes the next publication get a higher number than one that another machine published. */
    skipTo: (id: number) => skipTo({ id }),
  };
}
