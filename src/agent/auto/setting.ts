/** What `auto on` set, as this device remembers it. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { readJson, writePrivate } from '../kept/files.ts';
import { type Environment, stateFolder } from '../settings.ts';

const Setting = z.looseObject({
  timer: z.enum(['systemd', 'cron']),
  /** The Node that runs it, and the file that is run. */
  node: z.string(),
  file: z.string(),
  since: z.iso.datetime(),
});
export type Setting = z.infer<typeof Setting>;

/** Null if nothing was set, or if that cannot be read. */
export function readSetting(environment: Environment): Setting | null {
  return readJson(pathOf(environment), Setting);
}

export function keepSetting(environment: Environment, setting: Setting): void {
  writePrivate(pathOf(environment), `${JSON.stringify(setting, null, 2)}\n`);
}

export function dropSetting(environment: Environment): void {
  rmSync(pathOf(environment), { force: true });
}

function pathOf(environment: Environment): string {
  return join(stateFolder(environment), 'auto.json');
}
