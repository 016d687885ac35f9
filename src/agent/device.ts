import type { Client } from './board/client.ts';
import { defaultBoard } from './config.ts';
import { EXIT, Failure } from './failure.ts';
import type { Identities, Identity, Keystore } from './state/keystore.ts';
import type { Environment } from './settings.ts';
import { HOME_BOARD } from './version.ts';

/** What a command needs to read logs. */
export interface Place {
  environment: Environment;
  nowMs: () => number;
  /** The running program file, which may be in a temporary folder. */
  file: string;
}

/** What every step works with: this device's state, clock and network. */
export interface LocalDevice extends Place {
  keystore: Keystore;
  client: Client;
  /** Waits before a retry. */
  wait: (ms: number) => Promise<void>;
}

/** How to enroll, on the named board or on the one that this program came from. */
export function enrollHint(board?: string): string {
  const place = board ?? HOME_BOARD;
  const settings = place === null ? "the board's settings" : `${place}/settings`;
  const option = board === undefined && HOME_BOARD !== null ? '' : ` --board ${board ?? 'URL'}`;
  return `Get a code from "Add a device" in ${settings}, then: opbench enroll CODE${option}`;
}

/**
 * The identity for one board, or all identities.
 *
 * @param hint The hint of the error if there is none.
 * @throws {Failure} `notEnrolled` if there is none, or the error of the only ones if they are damaged.
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

/** The default identity: the only one, or the one for the board that this program came from. */
function meant(identities: readonly Identity[], home: string | null): Identity | null {
  const [only, ...others] = identities;
  if (only && others.length === 0) return only;
  return identities.find(({ board }) => board === home) ?? null;
}

function whichBoard(identities: readonly Identity[]): Failure {
  const names = identities.map(({ board }) => board).join(', ');
  const hint =
    names === ''
      ? 'Add its address, for example: --board https://bench.example.org'
      : `Add --board with one of the boards where this device is enrolled: ${names}`;
  return new Failure(EXIT.usage, 'It is not clear which board you mean', hint);
}

/**
 * The identity for a step that uses a single board: the named one, or the default board of the settings.
 *
 * @throws {Failure} if there is none, or if it is ambiguous.
 */
export function identityOf(
  device: Pick<LocalDevice, 'environment' | 'keystore'>,
  board: string | undefined,
  home = HOME_BOARD,
): Identity {
  const { sound } = identitiesOf(device, board ?? defaultBoard(device.environment));
  const identity = meant(sound, home);
  if (identity) return identity;
  throw whichBoard(sound);
}

/**
 * The default board, even if this device is not enrolled there.
 *
 * @throws {Failure} if there is none, or if it is ambiguous.
 */
export function boardMeant(
  { environment, keystore }: Pick<LocalDevice, 'environment' | 'keystore'>,
  home = HOME_BOARD,
): string {
  const { sound } = keystore.identities();
  const board = defaultBoard(environment) ?? meant(sound, home)?.board ?? home;
  if (board !== null) return board;
  throw whichBoard(sound);
}
