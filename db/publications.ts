import type { Database } from 'better-sqlite3';
import { returned } from './returned.ts';

const KEPT = 3;

/** Parts are small so that no write transaction holds up a submission. */
const PART_BYTES = 512 * 1024;

/** The version of the columns' form; publications of another one cannot be read. */
const FORMAT = 4;

interface PublicationRow {
  id: number;
  log_index: number;
  as_of: string;
  ruleset: string;
  generated_at: string;
}

export function publicationsIn(db: Database) {
  const insert = db
    .prepare(
      `INSERT INTO publications (log_index, as_of, ruleset, generated_at, format)
       VALUES (@log_index, @as_of, @ruleset, @generated_at, ${FORMAT}) RETURNING id`,
    )
    .pluck();
  const insertPart = db.prepare(
    `INSERT INTO publication_parts (publication_id, section, part, body)
     VALUES (@publication_id, @section, @part, @body)`,
  );
  const complete = db.prepare('UPDATE publications SET complete = 1 WHERE id = ?');
  const hideBefore = db.prepare('UPDATE publications SET complete = 0 WHERE id < ?');
  const removePart = db.prepare(
    `DELETE FROM publication_parts WHERE rowid =
       (SELECT rowid FROM publication_parts WHERE publication_id < ? LIMIT 1)`,
  );
  const removeBefore = db.prepare('DELETE FROM publications WHERE id < ?');
  const prune = db.prepare(
    `DELETE FROM publications WHERE id NOT IN
       (SELECT id FROM publications WHERE complete = 1 ORDER BY id DESC LIMIT ${KEPT})`,
  );
  const newest = db.prepare(
    `SELECT id, log_index, as_of, ruleset, generated_at FROM publications
     WHERE complete = 1 AND format = ${FORMAT} ORDER BY id DESC`,
  );
  const markPublic = db.prepare('UPDATE publications SET public_at = @public_at WHERE id = @id');
  const isPublic = db
    .prepare('SELECT 1 FROM publications WHERE public_at IS NOT NULL AND log_index >= ?')
    .pluck();
  const oldest = db.prepare('SELECT log_index, public_at FROM publications ORDER BY id LIMIT 1');
  const parts = db
    .prepare(
      `SELECT body FROM publication_parts WHERE publication_id = @id AND section = @section
       ORDER BY part`,
    )
    .pluck();

  return {
    /** Opens a publication; nobody sees it before {@linkcode complete}. */
    begin: (row: Omit<PublicationRow, 'id'>) => returned(insert, row) as number,
    addSection(publication_id: number, section: string, body: Uint8Array) {
      for (let part = 0; part * PART_BYTES < body.length; part += 1) {
        const slice = body.subarray(part * PART_BYTES, (part + 1) * PART_BYTES);
        insertPart.run({ publication_id, section, part, body: slice });
      }
    },
    /** Makes a publication the newest and forgets all but the newest three. */
    complete(id: number) {
      complete.run(id);
      prune.run();
    },
    /** Forgets all publications before one, a part at a time, so that no write holds up a submission. */
    forgetBefore(id: number) {
      hideBefore.run(id);
      while (removePart.run(id).changes > 0);
      removeBefore.run(id);
    },
    markPublic: (id: number, public_at: string) => void markPublic.run({ id, public_at }),
    isPublic: (log_index: number) => isPublic.get(log_index) === 1,
    /** Whether readers get a publication of so many log entries, and none of fewer is left. */
    hasReplacedAll(log_index: number): boolean {
      const row = oldest.get() as { log_index: number; public_at: string | null } | undefined;
      return row !== undefined && row.public_at !== null && row.log_index >= log_index;
    },
    kept: () => newest.all() as PublicationRow[],
    section: (id: number, section: string) =>
      Buffer.concat(parts.all({ id, section }) as Uint8Array[]),
  };
}
