/** What the witnesses of the board's log answered, in a file, so that a restart and the admin CLI know it. */
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { parseCheckpoint } from '#core/domain/tlog/checkpoint.ts';
import type { NoteKey } from '#core/domain/tlog/note-key.ts';
import { parseNote } from '#core/domain/tlog/note.ts';
import { type Config, witnessStatePath } from '../config/config.ts';
import { replaceFile } from '../process/atomic-file.ts';
import type { SignedCheckpoint } from '../public-log/checkpoint-file.ts';

/**
 * `ahead`: the witness knows more entries than the log has. `inconsistent`: the log contradicts what the witness
 * cosigned. `unknown_log` and `wrong_key`: its operator has to add the log, or its key. `failed`: anything else.
 */
const STATES = ['ahead', 'cosigned', 'failed', 'inconsistent', 'unknown_log', 'wrong_key'] as const;
export type WitnessStateName = (typeof STATES)[number];

const Report = z.object({
  state: z.enum(STATES),
  /** Why a request failed; null for other states. */
  detail: z.string().nullable(),
  /** When the witness was asked. */
  at: z.string(),
  /** The largest checkpoint that it cosigned, and when; null if there is none. */
  cosigned: z.object({ size: z.number(), at: z.string() }).nullable(),
});
export type WitnessReport = z.infer<typeof Report>;

const WitnessState = z.object({
  /** The log that the witnesses were asked about. */
  origin: z.string(),
  /** By the name and ID of their keys. */
  witnesses: z.record(z.string(), Report),
  /** The newest checkpoint that a witness cosigned, and the newest with a quorum; null if there is none. */
  newest: z.string().nullable(),
  quorum: z.string().nullable(),
});
export type WitnessState = z.infer<typeof WitnessState>;

/** A state that means that the log contradicts what it published. */
export type WitnessAlarm = Extract<WitnessStateName, 'ahead' | 'inconsistent'>;

export function isAlarm(state: WitnessStateName | undefined): state is WitnessAlarm {
  return state === 'ahead' || state === 'inconsistent';
}

export function emptyState(origin: string): WitnessState {
  return { origin, witnesses: {}, newest: null, quorum: null };
}

export function idOf({ name, id }: NoteKey): string {
  return `${name}+${id}`;
}

/** Reads the file; null if there is none, or if it is damaged. The witnesses are then asked again. */
export function readWitnessState(config: Pick<Config, 'dataDir'>): WitnessState | null {
  try {
    const state = WitnessState.parse(JSON.parse(readFileSync(witnessStatePath(config), 'utf8')));
    [state.newest, state.quorum].forEach(checkpointOf);
    return state;
  } catch {
    return null;
  }
}

export function writeWitnessState(config: Pick<Config, 'dataDir'>, state: WitnessState): void {
  replaceFile(witnessStatePath(config), JSON.stringify(state));
}

/** @throws {NoteError} if the text is not a checkpoint. */
export function checkpointOf(note: string | null): SignedCheckpoint | null {
  return note === null ? null : { note, ...parseCheckpoint(parseNote(note).text) };
}
