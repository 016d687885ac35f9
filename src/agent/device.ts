import type { Client } from './board/client.ts';
import { EXIT, Failure } from './failure.ts';
import type { Identities, Identity, Keystore } from './state/keystore.ts';
import type { Environment } from './settings.ts';
import { HOME_BOARD } from './version.ts';

/** Where a command runs: what it needs to read logs. */
export interface Place {
  environment: Environment;
  nowMs: () => number;
  /** The file that is running, to be kept when it came from a temporary place. */
  file: string;
}

/** What every step of the loop works with: this device's state, its clock and its way out. */
export interface LocalDevice extends Place {
  keystore: Keystore;
  client: Client;
  /** Lets time pass before something is tried again. */
  wait: (ms: number) => Promise<void>;
}

/** How somebody enrolls who is not: on the board that was named, or that this file came from. */
export function enrollHint(board?: string): string {
  const place = board ?? HOME_BOARD;
  const settings = place === null ? 'the settings of the board' : `${place}/settings`;
  const option = board === undefined && HOME_BOARD !== null ? '' : ` --board ${board ?? 'URL'}`;
  return `Get a code in ${settings} ("New key"), then: opbench enroll CODE${option}`;
}

/**
 * The identities that a command is about: that of one board, or all.
 *
 * @param hint What to do where there is none.
 * @throws {Failure} `notEnrolled` if there is none, or why the only ones cannot be read.
 */
export function identitiesOf(
  { keystore }: Pick<LocalDevice, 'keystore'>,
  board: string | undefined,
  hint: string | null = enrollHint(board),
): Identities {
  if (board === undefined) {
    const identities = keystore.identities();
    if (identities.sound.length > 0) return identities;
    const [damaged] = identities.damaged;
    throw (
      damaged ?? new Failure(EXIT.notEnrolled, 'This device is not enrolled on any board', hint)
    );
  }
  const identity = keystore.identity(board);
  if (identity) return { sound: [identity], damaged: [] };
  throw new Failure(EXIT.notEnrolled, `This device is not enrolled on ${board}`, hint);
}

/** The one that is meant where none is named: the only one, else that of the board this copy came from. */
function meant(identities: readonly Identity[], home: string | null): Identity | null {
  const [only, ...others] = identities;
  if (only && others.length === 0) return only;
  return identities.find(({ board }) => board === home) ?? null;
}

function whichBoard(identities: readonly Identity[]): Failure {
  const names = identities.map(({ board }) => board).join(', ');
  const hint =
    names === ''
      ? 'Name one, as in: --board https://bench.example.org'
      : `Name one where this device is enrolled: ${names}`;
  return new Failure(EXIT.usage, 'Which board?', hint);
}

/**
 * The one identity that a step is about which asks a single board.
 *
 * @throws {Failure} if there is none, or it is not plain which.
 */
export function identityOf(
  device: Pick<LocalDevice, 'keystore'>,
  board: string | undefined,
  home = HOME_BOARD,
): Identity {
  const { sound } = identitiesOf(device, board);
  const identity = meant(sound, home);
  if (identity) return identity;
  throw whichBoard(sound);
}

/**
 * The board that somebody means who names none, also one where this device is not enrolled.
 *
 * @throws {Failure} if there is no such board.
 */
export function boardMeant({ keystore }: Pick<LocalDevice, 'keystore'>, home = HOME_BOARD): string {
  const { sound } = keystore.identities();
  const board = meant(sound, home)?.board ?? home;
  if (board !== null) return board;
  throw whichBoard(sound);
}
