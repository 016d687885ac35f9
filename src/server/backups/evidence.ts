/** Where a restore looks for what happened after the backup, and for the log that the board published. */
import { statSync } from 'node:fs';
import { type DatabaseInspection, inspectDatabase } from '#db/engine/inspection.ts';
import { NoteError } from '#core/domain/tlog/note-error.ts';
import { type Config, checkpointPath } from '../config/config.ts';
import { generationOf } from '../identity/log-key.ts';
import { BackupError } from '../process/backup-error.ts';
import {
  newestGeneration,
  noteKnownCheckpoint,
  readLargest,
} from '../public-log/checkpoint-file.ts';
import { restoredPayloads } from './backups.ts';
import type { GivenLog, KnownLog } from './continue-log.ts';
import {
  type LaterFacts,
  factsOfSource,
  factsOfPublicLog,
  factsOfReplaced,
  logOfReplaced,
} from './later-facts.ts';
import { type LogSource, isUrl, logSourceAt } from './log-source.ts';
import { PublishedPayloads } from './published-payloads.ts';

interface Searched {
  config: Pick<Config, 'dataDir'>;
  /** A copy of the log: a file of the public log, a folder, a URL, or another place. */
  log: LogSource | string | null;
}

/** What is known about the time after the backup. */
export interface Evidence {
  facts: readonly LaterFacts[];
  isReplacedRead: boolean | null;
  known: KnownLog;
}

export async function evidenceFor(
  { config, log }: Searched,
  draft: string,
  database: string | null,
): Promise<Evidence> {
  const backup = inspectDatabase(draft);
  try {
    const replaced = readReplaced(database, backup);
    const payloads = new PublishedPayloads(restoredPayloads(config));
    const copy = log === null ? null : await readCopy(log, backup, payloads);
    const facts = [replaced.facts, copy?.facts ?? null].filter((each) => each !== null);
    const given = copy?.given ?? null;
    const known = { ...largestIn(config), replaced: replaced.log, given };
    return { facts, known, isReplacedRead: replaced.isRead };
  } finally {
    backup.close();
  }
}

/** The log is null if the board is another one, or cannot be read. */
function readReplaced(database: string | null, backup: DatabaseInspection) {
  if (database === null) return { facts: null, log: null, isRead: null };
  const facts = factsOfReplaced(database, backup);
  const log = facts && facts.common > 0 ? logOfReplaced(database) : null;
  return { facts, log, isRead: facts?.isWhole === true };
}

function readCopy(
  log: LogSource | string,
  backup: DatabaseInspection,
  payloads: PublishedPayloads,
): Promise<{ facts: LaterFacts; given: GivenLog }> {
  if (typeof log !== 'string') return factsOfSource(log, backup, payloads);
  const hasTiles = isUrl(log) || statSync(log).isDirectory();
  if (hasTiles) return factsOfSource(logSourceAt(log), backup, payloads);
  return factsOfPublicLog(log, backup, payloads);
}

/** @throws {BackupError} `unsound` if the file of the largest checkpoint is damaged. */
function largestIn(config: Pick<Config, 'dataDir'>): Pick<KnownLog, 'generation' | 'largest'> {
  const generation = newestGeneration(config.dataDir);
  const path = checkpointPath(config, generation);
  try {
    return { generation, largest: generation === 0 ? null : readLargest(path) };
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    const message = `${path} is damaged, so nobody knows what the board has published. Nothing was changed. Restore that file from a copy of DATA_DIR. If there is none, move it to another folder and name a copy of the log with --log`;
    throw new BackupError('unsound', message);
  }
}

/** The restored board then signs nothing smaller, whatever happens to its database. */
export function noteGiven(config: Pick<Config, 'dataDir'>, { given }: KnownLog): void {
  if (!given?.checkpoint) return;
  const { note, origin } = given.checkpoint;
  noteKnownCheckpoint(checkpointPath(config, generationOf(origin)), note);
}
