import { StoreError, type StoreRefusal } from '#db/engine/store-error.ts';
import { PROBLEMS } from '#core/contract/problems.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { BackupError, type BackupFault } from '../process/backup-error.ts';
import { ConfigError } from '../config/config.ts';
import { type StorageFault, UnwritableError, storageFaultOf } from '../process/storage-fault.ts';
import { EXIT, type AdminExitCode } from './command.ts';
import { UsageError } from '#core/cli/arguments.ts';
import type { Terminal } from '#core/cli/program.ts';

/** What another database, or another program, would serve is for the admin to choose. */
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
  busy: 'The database is busy: something has been writing for a long time. Try again',
  damaged: 'The database is damaged. Restore a backup: opbench-board restore FILE',
  failed: 'The database cannot be read or written: look at the disk and the memory of this machine',
  full: 'The disk is full: make room, then run this again',
  missing:
    'The database cannot be opened. Run this as the user of the service, who may read and write DATA_DIR',
  read_only:
    'The database cannot be written: look at who may write in DATA_DIR, and how its disk is mounted',
};

/**
 * Says what went wrong and what to do about it.
 *
 * @param name The command that failed; empty if there is none of that name.
 */
export function explain(error: unknown, name: string, { note }: Terminal): AdminExitCode {
  const say = (text: string, code: AdminExitCode) => {
    note(`opbench-board: ${text}`);
    return code;
  };
  if (error instanceof UsageError) {
    const help = ['opbench-board', name, '--help'].filter(Boolean).join(' ');
    const text = [error.message, error.advice].filter(Boolean).join('. ');
    return say(`${text}${text.endsWith('?') ? '' : '.'} See ${help}`, EXIT.usage);
  }
  if (error instanceof ConfigError) return say(error.message, EXIT.usage);
  if (error instanceof UnwritableError) {
    return say(error.message, error.isNoPlace ? EXIT.usage : EXIT.storage);
  }
  if (error instanceof StoreError) return say(error.message, REFUSALS[error.refusal]);
  if (error instanceof BackupError) return say(error.message, BACKUP_FAULTS[error.fault]);
  if (error instanceof DomainError) {
    const isValue = error.code === 'validation_failed';
    return say(refusalText(error), isValue ? EXIT.usage : EXIT.refused);
  }
  const [text, code] = machineFault(error);
  return say(text, code);
}

function machineFault(error: unknown): [text: string, code: AdminExitCode] {
  const fault = storageFaultOf(error);
  if (fault !== null) return [FAULTS[fault], EXIT.storage];
  if (error instanceof Error && 'syscall' in error && 'code' in error) {
    const isDenied = error.code === 'EACCES' || error.code === 'EPERM';
    const advice = isDenied ? '. Run this as a user who may, such as that of the service' : '';
    return [`This machine refused: ${error.message}${advice}`, EXIT.storage];
  }
  const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return [`this is a fault of opbench-board itself\n${cause}`, EXIT.fault];
}

/** The hint about places is for readers of JSON: here, each stands in a line of its own. */
function refusalText({ code, message, faults }: DomainError): string {
  const hint = code === 'validation_failed' ? null : PROBLEMS[code].hint;
  const places = faults.filter(({ pointer }) => pointer.length > 2);
  return `${message}${places.map((fault) => `\n  ${`${fault.pointer.slice(2)}: ${fault.detail}`}`).join('')}${hint ? `\n${hint}` : ''}`;
}
