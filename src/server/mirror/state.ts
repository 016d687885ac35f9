/** What a mirror knows in addition to the log: which log it follows, and what its checks found. */
import * as z from 'zod';
import { parseVkey, vkeyOf } from '#core/domain/tlog/note-key.ts';
import { sha256 } from '../process/crypto.ts';
import { CheckResults, type CheckResults as Results, noResults } from './checks.ts';
import type { MirrorFolder } from './folder.ts';

const PIN_FILE = 'mirror.json';
const STATE_FILE = 'state.json';

const MirrorPin = z.object({
  /** The board's address. */
  board: z.string(),
  /** The key of its log. Only checkpoints that it signed are accepted. */
  vkey: z.string().transform((vkey) => vkeyOf(parseVkey(vkey, sha256))),
});
/** The log that a folder is a mirror of, which never changes. */
export type MirrorPin = z.infer<typeof MirrorPin>;

const Missing = z.object({
  /** When payloads disappeared that no entry of the log explains. */
  since: z.string(),
  /** The size of the log at that time. */
  size: z.int(),
  entries: z.int(),
  /** The path of the first file. */
  file: z.string(),
});

const MirrorState = z.object({
  /** When the mirror last had everything that the board published. */
  complete_at: z.string().nullable(),
  /** The size in the newest checkpoint that the board signed. */
  board_size: z.int().nullable(),
  /** When the board was last asked for all payloads. */
  asked_at: z.string().nullable(),
  /** The entries up to here were searched for reasons to ask. */
  asked_size: z.int(),
  /** When the board is asked again, because a cache may have answered. */
  again_at: z.string().nullable(),
  missing: Missing.nullable(),
  /** The tag of the file of the log that was checked last, and its last entry. */
  log_file: z.object({ etag: z.string().nullable(), log_index: z.int() }),
  /** Files of the mirror that were damaged and fetched again: their number and the last one. */
  repaired: z.object({ files: z.int(), last: z.string().nullable() }),
  checks: CheckResults,
});
export type MirrorState = Omit<z.infer<typeof MirrorState>, 'checks'> & { checks: Results };

const NEW_STATE: MirrorState = {
  complete_at: null,
  board_size: null,
  asked_at: null,
  asked_size: 0,
  again_at: null,
  missing: null,
  log_file: { etag: null, log_index: 0 },
  repaired: { files: 0, last: null },
  checks: noResults(),
};

/** The pinned log; null for a new mirror, or if the file is damaged. */
export function readPin(folder: MirrorFolder): MirrorPin | null {
  return readAs(folder, PIN_FILE, MirrorPin);
}

export function writePin(folder: MirrorFolder, pin: MirrorPin): void {
  folder.write(PIN_FILE, `${JSON.stringify(pin, null, 2)}\n`);
  folder.sync();
}

/** Without a readable file, everything is checked again. */
export function readState(folder: MirrorFolder): MirrorState {
  const state = readAs(folder, STATE_FILE, MirrorState);
  return { ...NEW_STATE, ...state, checks: { ...NEW_STATE.checks, ...state?.checks } };
}

export function writeState(folder: MirrorFolder, state: MirrorState): void {
  folder.write(STATE_FILE, JSON.stringify(state));
}

function readAs<Value>(folder: MirrorFolder, name: string, schema: z.ZodType<Value>): Value | null {
  const bytes = folder.read(name);
  if (!bytes) return null;
  try {
    return schema.parse(JSON.parse(bytes.toString()));
  } catch {
    return null;
  }
}
