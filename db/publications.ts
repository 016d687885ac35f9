import type { Database } from 'better-sqlite3';
import { statementsIn } from './statements.ts';

const KEPT = 3;

/** Parts are small, so that no write transaction delays a submission. */
const PART_BYTES = 128 * 1024;

/** The version of the column format. Publications in another version cannot be read. */
const FORMAT = 4;

interface PublicationRow {
  id: number;
  log_index: number;
  as_of: string;
  ruleset: string;
  generated_at: string;
}

export function publicationsIn(db: Database) {
  const sql = statementsIn(db);
  const insertPart = sql.run<(of: object) => void>(`
    INSERT INTO publication_parts (publication_id, section, part, body)
    VALUES (@publication_id, @section, @part, @body)`);
  const complete = sql.run<(id: unknown) => void>(`
    UPDATE publications SET complete = 1 WHERE id = ?`);
  const hideBefore = sql.run<(id: unknown) => void>(`
    UPDATE publications SET complete = 0 WHERE id < ?`);
  const removePart = sql.did<(id: unknown) => boolean>(`
    DELETE FROM publication_parts WHERE rowid =
      (SELECT rowid FROM publication_parts WHERE publication_id < ? LIMIT 1)`);
  const removeBefore = sql.run<(id: unknown) => void>('DELETE FROM publications WHERE id < ?');
  const isOld = (id: string) => `${id} NOT IN
    (SELECT id FROM publications WHERE complete = 1 ORDER BY id DESC LIMIT ${KEPT})`;
  const hideOld = sql.run<() => void>(`
    UPDATE publications SET complete = 0 WHERE ${isOld('id')}`);
  const removeOldPart = sql.did<() => boolean>(`
    DELETE FROM publication_parts WHERE rowid =
      (SELECT rowid FROM publication_parts WHERE ${isOld('publication_id')} LIMIT 1)`);
  const removeOld = sql.run<() => void>(`DELETE FROM publications WHERE ${isOld('id')}`);
  const markPublic = sql.run<(of: object) => void>(`
    UPDATE publications SET public_at = @public_at WHERE id = @id`);
  const oldest = sql.get<() => { log_index: number; public_at: string | null } | undefined>(`
    SELECT log_index, public_at FROM publications ORDER BY id LIMIT 1`);
  const parts = sql.values<(of: object) => Uint8Array[]>(`
    SELECT body FROM publication_parts WHERE publication_id = @id AND section = @section
    ORDER BY part`);

  return {
    /** Opens a publication. Readers do not see it before {@linkcode complete}. */
    begin: sql.value<(row: Omit<PublicationRow, 'id'>) => number>(`
      INSERT INTO publications (log_index, as_of, ruleset, generated_at, format)
      VALUES (@log_index, @as_of, @ruleset, @generated_at, ${FORMAT}) RETURNING id`),
    addSection(publication_id: number, section: string, body: Uint8Array) {
      for (let part = 0; part * PART_BYTES < body.length; part += 1) {
        const slice = body.subarray(part * PART_BYTES, (part + 1) * PART_BYTES);
        insertPart({ publication_id, section, part, body: slice });
      }
    },
    /** Makes a publication the newest, and deletes all but the newest three in small parts. */
    complete(id: number) {
      complete(id);
      hideOld();
      while (removeOldPart());
      removeOld();
    },
    /** Deletes all earlier publications in small parts, so that no write delays a submission. */
    forgetBefore(id: number) {
      hideBefore(id);
      while (removePart(id));
      removeBefore(id);
    },
    markPublic: (id: number, public_at: string) => markPublic({ id, public_at }),
    isPublic: sql.has<(log_index: number) => boolean>(`
      SELECT 1 FROM publications WHERE public_at IS NOT NULL AND log_index >= ?`),
    /** Whether a publication of this many log entries is complete, and none of fewer is left. */
    hasReplacedAll(log_index: number): boolean {
      const row = oldest();
      return row !== undefined && row.public_at !== null && row.log_index >= log_index;
    },
    kept: sql.all<() => PublicationRow[]>(`
      SELECT id, log_index, as_of, ruleset, generated_at FROM publications
      WHERE complete = 1 AND format = ${FORMAT} ORDER BY id DESC`),
    section: (id: number, section: string) => Buffer.concat(parts({ id, section })),
  };
}
