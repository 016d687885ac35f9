import { StoreError, type StoreRefusal } from '#db/engine/store-error.ts';
import { PROBLEMS } from '#core/contract/problems.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { BackupError, type BackupFault } from '../process/backup-error.ts';
import { ConfigError } from '../config/config-error.ts';
import { ObjectStoreError } from '../object-store/object-store.ts';
import { type StorageFault, UnwritableError, storageFaultOf } from '../process/storage-fault.ts';
import { EXIT, type AdminExitCode } from './command.ts';
import { ownerHint } from './owner.ts';
import { UpgradeError } from './upgrade/upgrade-error.ts';
import { UsageError } from '#core/cli/arguments.ts';
import type { Terminal } from '#core/cli/program.ts';

const REFUSALS: Readonly<Record<StoreRefusal, AdminExitCode>> = {
  damaged: EXIT.storage,
  in_use: EXIT.refused,
  missing: EXIT.usage,
  newer: EXIT.usage,
  older: EXIT.usage,
  wrong_kind: EXIT.usage,
};

const BACKUP_FAULTS: Readonly<Record<BackupFault, AdminExitCode>> = {
  disk: EXIT.storage,
  taken: EXIT.refused,
  unsound: EXIT.refused,
};

const FAULTS: Readonly<Record<StorageFault, string>> = {
  busy: 'The database is busy: another process has been writing for a long time. Try again',
  damaged: 'The database is damaged. Restore a backup: opbench-board restore FILE',
  failed: 'The database cannot be read or written. Check the disk and the memory of this machine',
  full: 'The disk is full. Free some space, then run the command again',
  missing:
    'The database cannot be opened. Run the command as the user that runs the server, which can read and write DATA_DIR',
  read_only:
    'The database is read-only. Check who can write in DATA_DIR, and that its disk is not mounted read-only',
};

/**
 * Prints what went wrong and what to do about it.
 *
 * @param name The command that failed; empty if there is no such command.
 */
export function explain(error: unknown, name: string, { note }: Terminal): AdminExitCode {
  const say = (text: string, code: AdminExitCode) => {
    note(`opbench-board: ${text}${ownerHint(error)}`);
    return code;
  };
  if (error instanceof UsageError) {
    const help = ['opbench-board', name, '--help'].filter(Boolean).join(' ');
    const text = [error.message, error.advice].filter(Boolean).join('. ');
    return say(`${text}${text.endsWith('?') ? '' : '.'} See ${help}`, EXIT.usage);
  }
  const exit = exitOf(error);
  if (exit !== null) return say((error as Error).message, exit);
  if (error instanceof DomainError) {
    const isValue = error.code === 'validation_failed';
    return say(refusalText(error), isValue ? EXIT.usage : EXIT.refused);
  }
  const [text, code] = machineFault(error);
  return say(text, code);
}

/** The exit code of an error whose message is complete; null for any other error. */
function exitOf(error: unknown): AdminExitCode | null {
  if (error instanceof ConfigError) return EXIT.usage;
  if (error instanceof UpgradeError) return error.exit;
  if (error instanceof UnwritableError) return error.isNoPlace ? EXIT.usage : EXIT.storage;
  if (error instanceof StoreError) return REFUSALS[error.refusal];
  if (error instanceof BackupError) return BACKUP_FAULTS[error.fault];
  if (error instanceof ObjectStoreError) return EXIT.storage;
  return null;
}

function machineFault(error: unknown): [text: string, code: AdminExitCode] {
  const fault = storageFaultOf(error);
  if (fault !== null) return [FAULTS[fault], EXIT.storage];
  if (error instanceof Error && 'syscall' in error && 'code' in error) {
    const isDenied = error.code === 'EACCES' || error.code === 'EPERM';
    const advice = isDenied
      ? '. Run the command as a user with access, for example the one that runs the server'
      : '';
    return [`The operating system reported an error: ${error.message}${advice}`, EXIT.storage];
  }
  const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return [
    `This is a bug in opbench-board. Please report it with these lines:\n${cause}`,
    EXIT.fault,
  ];
}

/** Hints for the command line, where those of the API do not fit. */
const HINTS: Readonly<Record<string, string>> = {
  not_found: 'Check the spelling.',
  state_conflict: '',
  validation_failed: '',
};

/** The message, with each invalid value on its own line. */
function refusalText({ code, message, faults }: DomainError): string {
  const hint = HINTS[code] ?? PROBLEMS[code].hint;
  const places = faults.filter(({ pointer }) => pointer.length > 2);
  return `${message}${places.map((fault) => `\n  ${`${fault.pointer.slice(2)}: ${fault.detail}`}`).join('')}${hint ? `\n${hint}` : ''}`;
}
