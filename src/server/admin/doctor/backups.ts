import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS } from '#core/domain/counting/day.ts';
import { KEPT_DAYS, backupsFolder } from '#server/backups/backups.ts';
import type { Config } from '#server/config/config.ts';
import { sizeText } from '#server/process/size-text.ts';
import { type Check, checksOf } from './check.ts';
import { durationText } from './words.ts';

const { ok, warning } = checksOf('backup');

/** So old may the last backup be. */
const MAX_AGE_DAYS = 7;
const ADVICE =
  'Make one every day, and keep it on another machine: opbench-board backup FILE. Copies that other programs make are not known here';

/** When a backup was made last, and which the program keeps of its own. */
export function backupChecks(config: Config, madeAt: string | null): Check[] {
  return [byKeeper(madeAt), ...byProgram(config)];
}

function byKeeper(madeAt: string | null): Check {
  if (madeAt === null) return warning('none was ever made', ADVICE);
  const ageMs = Date.now() - Date.parse(madeAt);
  const text = `the last was made ${durationText(ageMs)} ago`;
  return ageMs > MAX_AGE_DAYS * DAY_MS ? warning(text, ADVICE) : ok(text);
}

function byProgram(config: Config): Check[] {
  const folder = backupsFolder(config);
  const sizes = filesIn(folder).map(({ name }) => statSync(join(folder, name)).size);
  if (sizes.length === 0) return [];
  const count = `${sizes.length} ${sizes.length === 1 ? 'file' : 'files'}`;
  const size = sizeText(sizes.reduce((sum, each) => sum + each));
  return [ok(`${folder} has ${count} of upgrades and restores, ${size}, kept ${KEPT_DAYS} days`)];
}

function filesIn(folder: string): Dirent[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isFile() && entry.name.endsWith('.sqlite'));
  } catch {
    return [];
  }
}
