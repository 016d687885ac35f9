import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '#agent/settings.ts';
import { makeDatabase } from './log-database.ts';
import type { LogCase } from './log-fixtures.ts';
import { aFolder } from './log-folder.ts';

/** The log folder of each tool below the home folder. */
const PLACES: Readonly<Record<string, string>> = {
  'claude-code': '.claude',
  codex: '.codex',
  'gemini-cli': '.gemini',
  opencode: '.local/share/opencode',
  'copilot-cli': '.copilot',
};

/** A home folder with the logs of a case, and databases from their SQL. Deleted after the test. */
export function layOut({ tool, folder }: LogCase): Environment {
  const home = aFolder();
  const place = join(home, PLACES[tool] ?? '');
  cpSync(folder, place, { recursive: true });
  rmSync(join(place, 'expected.json'));
  for (const name of readdirSync(place).filter((entry) => entry.endsWith('.sql'))) {
    const sql = join(place, name);
    makeDatabase(sql.slice(0, -'.sql'.length), readFileSync(sql, 'utf8'));
    rmSync(sql);
  }
  return { HOME: home };
}
