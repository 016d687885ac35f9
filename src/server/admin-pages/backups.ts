/** The backups that the board makes itself, and the button that starts one. */
import { DomainError } from '#core/domain/text/errors.ts';
import { sizeText } from '#core/domain/text/figure.ts';
import type { AppContext } from '../context.ts';
import { type Actor, audit } from '../process/admin-actions.ts';

/**
 * Starts a backup under the name of an admin, and does not wait for it. Returns `running` if one is being made.
 *
 * @throws {DomainError} `state_conflict` if the board makes no backups itself.
 */
export function startBackup(
  { backups, config, store, now }: AppContext,
  by: Actor,
): 'running' | 'started' {
  if (!backups || !config.backup) {
    throw new DomainError(
      'state_conflict',
      'The board has no folder for backups. Set BACKUP_DIR on the server, then restart the board',
    );
  }
  if (backups.status.runningSince !== null) return 'running';
  const { folder: subject } = config.backup;
  store.transaction(() => {
    audit(store, {
      action: 'backup_start',
      subject,
      operator_id: null,
      reason: null,
      now: now(),
      by,
    });
  });
  backups.makeFor(by);
  return 'started';
}

interface BackupsView {
  folder: string;
  keep: number;
  /** When the backup that is being made was started; null if none is. */
  runningSince: string | null;
  /** How the last attempt ended since the board was started; null if there was none. */
  last: { at: string; failure: string | null; text: string } | null;
}

/** Null if the board makes no backups itself. */
export function readBackups({ backups, config }: AppContext): BackupsView | null {
  if (!backups || !config.backup) return null;
  const { folder, keep } = config.backup;
  const { runningSince, outcome } = backups.status;
  return {
    folder,
    keep,
    runningSince: runningSince?.toISOString() ?? null,
    last: outcome && {
      at: outcome.endedAt.toISOString(),
      failure: 'failure' in outcome ? outcome.failure : null,
      text:
        'failure' in outcome
          ? ''
          : `${sizeText(outcome.bytes)}, in ${outcome.seconds.toFixed(1)} s`,
    },
  };
}
