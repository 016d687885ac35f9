import type { Client } from './client.ts';
import { EXIT, Failure } from './failure.ts';
import type { Identities, Keystore } from './keystore.ts';
import type { Environment } from './settings.ts';

/** Where a command runs: what it needs to read logs. */
export interface Place {
  environment: Environment;
  nowMs: () => number;
  /** The file that is running, to be kept when it came from a temporary place. */
  file: string;
}

/** What every step of the loop works with: this device's state, its clock and its way out. */
export interface Device extends Place {
  keystore: Keystore;
  client: Client;
  /** Lets time pass before something is tried again. */
  wait: (ms: number) => Promise<void>;
}

/**
 * The identities that a command is about: that of one board, or all.
 *
 * @throws {Failure} `notEnrolled` if there is none, or why the only ones cannot be read.
 */
export function identitiesOf({ keystore }: Device, board: string | undefined): Identities {
  const hint = 'Get a code in the settings of the board ("New key"), then: opbench enroll CODE';
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
