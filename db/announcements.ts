import type { Database } from 'better-sqlite3';
import { statementsIn } from './statements.ts';

export interface AnnouncementRow {
  id: string;
  text: string;
  /** A URL, or a path on the board; null if there is none. */
  link: string | null;
  set_at: string;
  ends_at: string;
}

/** The line that all public pages show. There is at most one. */
export function announcementsIn(db: Database) {
  const sql = statementsIn(db);
  const clear = sql.run<() => void>('DELETE FROM announcements');
  const insert = sql.run<(row: AnnouncementRow) => void>(`
    INSERT INTO announcements (id, text, link, set_at, ends_at)
    VALUES (@id, @text, @link, @set_at, @ends_at)`);

  return {
    /** The announcement, unless it has ended. */
    current: sql.get<(now: string) => AnnouncementRow | undefined>(`
      SELECT * FROM announcements WHERE ends_at > ?`),
    /** Stores an announcement in place of any other. Call it inside a transaction. */
    replace(row: AnnouncementRow) {
      clear();
      insert(row);
    },
    clear,
  };
}
