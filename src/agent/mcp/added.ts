/** What `opbench mcp install` put where, so that it can be taken out as it was put in. */
import { join } from 'node:path';
import * as z from 'zod';
import { readJson, writePrivate } from '../kept/files.ts';
import { type Environment, stateFolder } from '../settings.ts';

const Added = z.strictObject({
  file: z.string(),
  /** The exact text; null if an entry was there before. */
  inserted: z.string().nullable(),
  /** Whether there was no file before. */
  made_file: z.boolean(),
  /** An entry of somebody else that stood there: its exact text, and what that says. */
  replaced: z.strictObject({ text: z.string(), value: z.unknown() }).nullable().default(null),
});
export type Added = z.infer<typeof Added>;

const Kept = z.record(z.string(), Added);

/** What was put into the configuration of a client; null if that is not known. */
export function addedOf(environment: Environment, client: string): Added | null {
  return kept(environment)[client] ?? null;
}

/** Whether anything that was put into a client's configuration may still be there. */
export function isInstalled(environment: Environment): boolean {
  return Object.keys(kept(environment)).length > 0;
}

export function keepAdded(environment: Environment, client: string, added: Added): void {
  save(environment, { ...kept(environment), [client]: added });
}

export function forgetAdded(environment: Environment, client: string): void {
  const { [client]: gone, ...others } = kept(environment);
  if (gone) save(environment, others);
}

function kept(environment: Environment): z.infer<typeof Kept> {
  return readJson(pathOf(environment), Kept) ?? {};
}

function save(environment: Environment, all: z.infer<typeof Kept>): void {
  writePrivate(pathOf(environment), `${JSON.stringify(all, null, 2)}\n`);
}

function pathOf(environment: Environment): string {
  return join(stateFolder(environment), 'mcp.json');
}
