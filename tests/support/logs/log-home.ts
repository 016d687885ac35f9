import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '#agent/settings.ts';
import { makeDatabase } from './log-database.ts';
import type { LogCase } from './log-fixtures.ts';
import { aFolder } from './log-folder.ts';

/** A home folder with the logs of a case, and databases from their SQL. Deleted after the test. */
export function layOut({ home: place, folder }: LogCase): Environment {
  const home = aFolder();
  const logs = join(home, place);
  cpSync(folder, logs, { recursive: true });
  rmSync(join(logs, 'expected.json'));
  for (const name of readdirSync(logs, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.sql')) continue;
    const sql = join(logs, name);
    makeDatabase(sql.slice(0, -'.sql'.length), readFileSync(sql, 'utf8'));
    rmSync(sql);
  }
  return { HOME: home };
}
