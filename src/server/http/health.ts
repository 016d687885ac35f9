/**
 * Answers health probes of supervisors, containers and monitors: whether the process runs, and whether it can serve.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type CheckpointFault,
  WITNESS_ALARM_WORDS,
  checkpointProblem,
} from '../process/checkpoint-fault.ts';
import type { StorageFault } from '../process/storage-fault.ts';
import { MethodError, isRead } from './routes/methods.ts';
import { problemHeaders, problemOf } from './response/problem.ts';
import { probeOf } from './requests.ts';
import { dataSecurity } from './response/security-headers.ts';

/** Whether the board makes its scheduled backups. */
export interface BackupHealth {
  state: 'failed' | 'late' | 'ok';
  /** The age of the newest backup; null if there is none. */
  age_s: number | null;
}

/** Whether other machines get what the board shows. */
export interface StoreHealth {
  state: 'failing' | 'fenced' | 'ok' | 'starting';
  /** How long ago an upload was last confirmed; null if none was yet. */
  age_s: number | null;
}

/** The health of the process. */
export interface Health {
  process: 'fenced' | 'ok' | 'starting' | 'stopping';
  /** Whether the database can be read. */
  database: StorageFault | 'ok';
  /**
   * The age of the published data, and whether a spot check found a difference since the process started; null if
   * nothing is published.
   */
  publication: { age_s: number; stale: boolean; differed: boolean } | null;
  /** Null if no backups are scheduled. */
  backup: BackupHealth | null;
  /** Whether checkpoints of the log are signed, or why not; null before the first publication. */
  checkpoint: CheckpointFault | 'ok' | null;
  /** Whether a witness states that the log contradicts what it saw before; null if the log has no witnesses. */
  witnesses: 'alarm' | 'ok' | null;
  /** Null without an object store. */
  object_store: StoreHealth | null;
  /** Absent if the process has the database. */
  reader?: ReaderHealth | null;
}

/** The health of a machine that shows what another one published. */
export interface ReaderHealth {
  /** Whether the writer answers all requests, because only members can read the board. */
  passesAll: boolean;
  /** Null if its address is not set. */
  writer: WriterState | null;
}

/** What the last request found at the address of the writer. `loop`: a reader, which may be this one. */
export type WriterState = 'loop' | 'ok' | 'unreachable';

/** A request, with the base URL and its request ID. */
interface Probe {
  request: IncomingMessage;
  response: ServerResponse;
  requestId: string;
  baseUrl: string;
}

/** Answers a probe with any Host. Returns false for other requests. */
export function answerProbe(probe: Probe, condition: () => Health): boolean {
  const { request, response, requestId, baseUrl } = probe;
  const asked = probeOf(request.url ?? '');
  if (asked === undefined) return false;
  const shared = {
    ...dataSecurity(baseUrl, false),
    'X-Robots-Tag': 'noindex',
    'X-Request-Id': requestId,
  };
  const send = (status: number, headers: Record<string, string>, body: object) => {
    const text = JSON.stringify(body);
    const length = { 'Content-Length': String(Buffer.byteLength(text)) };
    response.writeHead(status, { ...shared, ...headers, ...length });
    response.end(request.method === 'HEAD' ? undefined : text);
  };
  if (!isRead(request.method ?? '')) {
    const error = new MethodError(request.method ?? '', ['GET', 'HEAD']);
    const problem = problemOf(error, { baseUrl, requestId });
    // The rest of the request is not read, and must not be taken for the next request.
    const closing = { Connection: 'close' };
    send(problem.status, { ...problemHeaders(problem, error, baseUrl), ...closing }, problem);
    return true;
  }
  const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };
  if (asked === 'healthz') send(200, headers, { status: 'ok' });
  else {
    const readiness = readinessOf(condition());
    send(readiness.status === 'ready' ? 200 : 503, headers, readiness);
  }
  return true;
}

const DATABASE_WORDS: Record<StorageFault, string> = {
  busy: 'Another process is blocking the database',
  damaged: 'The database is damaged. Restore a backup',
  failed: 'The disk cannot read the database',
  full: 'The disk is full',
  missing: 'The database is missing or cannot be opened',
  read_only: 'The database is read-only',
};

/**
 * Old or wrong pages, or a missing backup, do not make the board unavailable, because old pages are better than none.
 */
export function readinessOf(condition: Health) {
  const { process, database, publication, backup, checkpoint, witnesses, object_store } = condition;
  const reasons = reasonsOf(condition);
  return {
    status: reasons.length === 0 ? ('ready' as const) : ('unavailable' as const),
    checks: {
      process,
      database,
      publication: stateOf(publication),
      backup: stateIn(backup),
      checkpoint: checkpoint ?? ('none' as const),
      witnesses: witnesses ?? ('off' as const),
      object_store: stateIn(object_store),
      ...readerChecks(condition),
    },
    publication_age_s: ageIn(publication),
    backup_age_s: ageIn(backup),
    object_store_age_s: ageIn(object_store),
    reasons: [...reasons, ...doubtsOf(condition)],
  };
}

function stateIn<State>(part: { state: State } | null): State | 'off' {
  return part ? part.state : 'off';
}

function ageIn(part: { age_s: number | null } | null): number | null {
  return part ? part.age_s : null;
}

const STALE_WORDS = 'The published data is out of date. The server log says why';
const DIFFERED_WORDS =
  'Since the board started, published data differed from the database and had to be computed again. Report the operators_differ lines in the server log';
const BACKUP_WORDS = {
  failed: 'The last backup failed. The server log says why',
  late: 'The newest backup is more than two days old',
};

const STORE_WORDS =
  'The object store cannot be reached or refuses requests. Other machines stop serving or show old data, and this one may not learn that it was replaced as the writer. The server log says why';
const UNCONFIRMED_WORDS =
  'The object store has not confirmed for 30 seconds what this machine shows, so it shows nothing';
export const LOOP_WORDS =
  'WRITER_URL leads to a reader. Set it to the address of the machine with the database';
const WRITER_WORDS = {
  loop: LOOP_WORDS,
  unreachable: 'The machine at WRITER_URL did not answer the last request',
};
const FENCED_WORDS =
  'Another machine became the writer of this board. Stop this server, and remove it from the load balancer';

function readerChecks({ reader }: Health) {
  return reader ? { writer: reader.writer ?? ('off' as const) } : {};
}

/** Problems of a board that can serve. */
function doubtsOf({ reader, ...own }: Health): string[] {
  if (!reader) return ownDoubts(own);
  const { writer } = reader;
  return writer === null || writer === 'ok' ? [] : [WRITER_WORDS[writer]];
}

function ownDoubts({ publication, backup, object_store, ...health }: Health): string[] {
  return [
    ...(publication?.stale ? [STALE_WORDS] : []),
    ...(publication?.differed ? [DIFFERED_WORDS] : []),
    ...(backup && backup.state !== 'ok' ? [BACKUP_WORDS[backup.state]] : []),
    ...logDoubtsOf(health),
    ...(object_store?.state === 'failing' ? [STORE_WORDS] : []),
  ];
}

function logDoubtsOf({ checkpoint, witnesses }: Pick<Health, 'checkpoint' | 'witnesses'>) {
  return [
    ...(checkpoint && checkpoint !== 'ok' ? [checkpointProblem(checkpoint)] : []),
    ...(witnesses === 'alarm' ? [WITNESS_ALARM_WORDS] : []),
  ];
}

/** Why the board must not receive traffic. */
function reasonsOf({ process, database, publication, object_store, reader }: Health): string[] {
  if (process === 'fenced') return [FENCED_WORDS];
  if (process !== 'ok') return [`The board is ${process}`];
  return [
    ...(database === 'ok' ? [] : [DATABASE_WORDS[database]]),
    ...(publication === null && !reader?.passesAll ? ['Nothing is published yet'] : []),
    ...(reader && object_store?.state === 'failing' ? [UNCONFIRMED_WORDS] : []),
  ];
}

function stateOf(publication: Health['publication']): 'none' | 'ok' | 'stale' {
  if (publication === null) return 'none';
  return publication.stale ? 'stale' : 'ok';
}
