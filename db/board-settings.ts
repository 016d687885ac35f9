import type { Database } from 'better-sqlite3';
import { statementsIn } from './statements.ts';

interface BoardSettingRow {
  name: string;
  value: string;
  set_at: string;
}

/** Settings that admins chose in the browser. */
export function boardSettingsIn(db: Database) {
  const sql = statementsIn(db);

  return {
    all: sql.all<() => BoardSettingRow[]>('SELECT * FROM board_settings ORDER BY name'),
    set: sql.run<(row: BoardSettingRow) => void>(`
      INSERT INTO board_settings (name, value, set_at) VALUES (@name, @value, @set_at)
      ON CONFLICT (name) DO UPDATE SET value = excluded.value, set_at = excluded.set_at`),
  };
}

interface SetupLink {
  token_hash: string;
  created_at: string;
  expires_at: string;
  /** Null until it made an account an admin. */
  used_at: string | null;
}

/** The one-time link of the first start, whose token is stored only as SHA-256. */
export function setupLinksIn(db: Database) {
  const sql = statementsIn(db);
  const clear = sql.run<() => void>('DELETE FROM setup_links');
  const insert = sql.run<(link: Omit<SetupLink, 'used_at'>) => void>(`
    INSERT INTO setup_links (token_hash, created_at, expires_at)
    VALUES (@token_hash, @created_at, @expires_at)`);

  return {
    /** Replaces the link. */
    replace(link: Omit<SetupLink, 'used_at'>) {
      clear();
      insert(link);
    },
    byToken: sql.get<(token_hash: string) => SetupLink | undefined>(`
      SELECT * FROM setup_links WHERE token_hash = ?`),
    use: sql.run<(token_hash: string, now: string) => void>(`
      UPDATE setup_links SET used_at = @now WHERE token_hash = @token_hash`),
  };
}
