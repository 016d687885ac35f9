/**
 * What was decided about an enrollment whose answer has not come: the board takes the same code again, but no longer
 * lists the devices for it.
 *
 * @module
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { Groups } from './baseline.ts';
import { readJson, writePrivate } from './atomic-file.ts';

const FILE = 'enrolling.json';

const Named = z.object({ id: z.string(), label: z.string() });

/** How a device enrolls. */
export const Decision = z.discriminatedUnion('kind', [
  /** As a device of its own, or as the one that this installation is already. */
  z.object({ kind: z.literal('plain') }),
  /** In the place of another device. */
  z.object({ kind: z.literal('replace'), replaced: Named }),
  z.object({
    kind: z.literal('new'),
    /** Who keeps the days until now, if they are the same days. */
    stay_with: z.string().nullable(),
    /** Whether this installation was a device of the account, and another machine goes on as that. */
    is_twin: z.boolean(),
    /** What they have of these days, if nothing was copied but logs. */
    groups: Groups.optional(),
  }),
]);
export type Decision = z.infer<typeof Decision>;

const Kept = z.object({ code_hash: z.string(), decision: Decision });

/** What was decided for a code; null if nothing was. */
export function keptDecision(folder: string, codeHash: string): Decision | null {
  const kept = readJson(join(folder, FILE), Kept);
  return kept?.code_hash === codeHash ? kept.decision : null;
}

export function keepDecision(folder: string, codeHash: string, decision: Decision): void {
  writePrivate(join(folder, FILE), JSON.stringify({ code_hash: codeHash, decision }));
}

export function dropDecision(folder: string): void {
  rmSync(join(folder, FILE), { force: true });
}
