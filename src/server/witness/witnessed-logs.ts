/** The logs of other boards that this board witnesses. */
import { join } from 'node:path';
import type { Store } from '#db/store.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { type NoteKey, SIGNATURE_TYPES, parseVkey } from '#core/domain/tlog/note-key.ts';
import { NoteError } from '#core/domain/tlog/note-error.ts';
import { type Config, witnessFolder } from '../config/config.ts';
import { audit } from '../process/admin-actions.ts';
import { isSoundPublicKey, sha256, sha256Hex } from '../process/crypto.ts';
import { readLargest } from '../public-log/checkpoint-file.ts';

/** Every log needs a file, and each of its checkpoints a write. */
const MAX_LOGS = 100;

/** The file of the last checkpoint of a log that the board cosigned. It stays when the log is removed from the list. */
export function cosignedPath(config: Pick<Config, 'dataDir'>, origin: string): string {
  return join(witnessFolder(config), sha256Hex(origin));
}

/**
 * Adds the log of another board, or replaces its key.
 *
 * @param vkey The public key of its checkpoints, which names the log.
 * @throws {DomainError} `validation_failed` if it is not the key of a log, `state_conflict` if there are too many.
 */
export function addWitnessedLog(store: Store, vkey: string, now: Date): { origin: string } {
  const { name: origin } = logKeyIn(vkey);
  store.transaction(() => {
    const others = store.witnessedLogs.all().filter((log) => log.origin !== origin);
    if (others.length >= MAX_LOGS) {
      throw new DomainError('state_conflict', `A board witnesses at most ${MAX_LOGS} logs`);
    }
    store.witnessedLogs.put({ origin, vkey, added_at: now.toISOString() });
    note(store, 'witness_add', origin, now);
  });
  return { origin };
}

/** @throws {DomainError} `not_found` if the board does not witness the log. */
export function removeWitnessedLog(store: Store, origin: string, now: Date): void {
  store.transaction(() => {
    if (!store.witnessedLogs.remove(origin)) {
      throw new DomainError('not_found', `This board does not witness the log ${origin}`);
    }
    note(store, 'witness_remove', origin, now);
  });
}

/** The logs with the size of the last checkpoint that was cosigned; null if there was none. */
export function listWitnessedLogs({ witnessedLogs }: Store, config: Pick<Config, 'dataDir'>) {
  return witnessedLogs.all().map(({ origin, vkey, added_at }) => {
    const size = readLargest(cosignedPath(config, origin))?.size ?? null;
    return { origin, vkey, added_at, size };
  });
}

function logKeyIn(vkey: string): NoteKey {
  const key = parsed(vkey);
  if (key.type === SIGNATURE_TYPES.cosignature) {
    throw invalid('This is the key of a witness. Use the key after "log"');
  }
  if (key.type !== SIGNATURE_TYPES.ed25519 || !isSoundPublicKey(key.publicKey)) {
    throw invalid('The key cannot be used. Logs need an Ed25519 key of type 1');
  }
  return key;
}

function parsed(vkey: string): NoteKey {
  try {
    return parseVkey(vkey, sha256);
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    throw invalid(error.message);
  }
}

function invalid(message: string): DomainError {
  return new DomainError('validation_failed', message);
}

function note(store: Store, action: 'witness_add' | 'witness_remove', subject: string, now: Date) {
  audit(store, { action, subject, operator_id: null, reason: null, now });
}
