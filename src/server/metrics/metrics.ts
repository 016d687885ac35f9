/**
 * The metrics that are read when somebody asks for them. To add one, add an entry to the list. `observed.ts` has those
 * that are recorded as things happen.
 */
import { stat, statfs } from 'node:fs/promises';
import type { EventCounts } from '../process/event-counts.ts';
import { type Config, databasePath } from '../config/config.ts';
import { type Health, readinessOf } from '../http/health.ts';
import type { Running } from '../lifecycle.ts';
import { mailCounts } from '../mail/mailer.ts';
import type { CheckpointFault } from '../process/checkpoint-fault.ts';

/** What the metrics are read from. Members of `running` are absent until the server has them. */
export interface MetricSources {
  version: string;
  /** Null without a data folder. */
  config: Pick<Config, 'dataDir'> | null;
  running: Pick<
    Running,
    | 'backups'
    | 'checkpoints'
    | 'objectStore'
    | 'parquet'
    | 'publisher'
    | 'queues'
    | 'reader'
    | 'store'
    | 'witnesses'
  >;
  health: () => Health;
  events: Pick<EventCounts, 'all' | 'of'>;
}

/** A number, or one for each value of the label; null or undefined while there is none. */
export type Reading = number | Readonly<Record<string, number>> | null | undefined;

export interface ReadMetric {
  name: `opbench_${string}`;
  type: 'counter' | 'gauge';
  help: string;
  /** The name of the only label. Its values must come from a small set that the program defines. */
  label?: string;
  read: (sources: MetricSources) => Promise<Reading> | Reading;
}

export const METRICS: readonly ReadMetric[] = [
  {
    name: 'opbench_info',
    type: 'gauge',
    help: 'Always 1. The label is the version of the server.',
    label: 'version',
    read: ({ version }) => ({ [version]: 1 }),
  },
  {
    name: 'opbench_ready',
    type: 'gauge',
    help: 'Whether /readyz returns 200.',
    read: ({ health }) => Number(readinessOf(health()).status === 'ready'),
  },
  {
    name: 'opbench_publication_age_seconds',
    type: 'gauge',
    help: 'Seconds since the published data was last known to be up to date.',
    read: ({ health }) => health().publication?.age_s,
  },
  {
    name: 'opbench_publication_stale',
    type: 'gauge',
    help: 'Whether the published data is too old, as in publication_stale in the log.',
    read: ({ health }) => health().publication && Number(health().publication?.stale),
  },
  {
    name: 'opbench_publication_failures_total',
    type: 'counter',
    help: 'Updates that failed.',
    read: ({ events }) => events.of('publication_failed'),
  },
  {
    name: 'opbench_reader_confirmed_age_seconds',
    type: 'gauge',
    help: 'How long ago the object store confirmed what a reader shows. After 30 seconds it shows nothing.',
    read: ({ running: { reader } }) => {
      const ageMs = reader?.watch.ageMs ?? Infinity;
      return ageMs === Infinity ? null : ageMs / 1000;
    },
  },
  {
    name: 'opbench_reader_writer_failures_total',
    type: 'counter',
    help: 'Requests that a reader passed on and the writer did not answer.',
    read: ({ running: { reader } }) => reader?.writer?.failures,
  },
  {
    name: 'opbench_published_operators',
    type: 'gauge',
    help: 'Operators in the published data.',
    read: ({ running }) => publicationIn(running)?.operators.length,
  },
  {
    name: 'opbench_held_submissions',
    type: 'gauge',
    help: 'Submissions on hold that wait for a decision, as of the last update.',
    read: ({ running }) => publicationIn(running)?.moderation.held_submissions,
  },
  {
    name: 'opbench_queue_length',
    type: 'gauge',
    help: 'Background work that is left: operators to check, kinds of data to move, erased texts to search for.',
    label: 'queue',
    read: ({ running: { queues } }) => queues && { ...queues },
  },
  {
    name: 'opbench_log_head_index',
    type: 'gauge',
    help: 'The index of the newest entry of the public log.',
    read: ({ running: { store } }) => store && (store.log.head()?.index ?? 0),
  },
  {
    name: 'opbench_log_cosigned_entries',
    type: 'gauge',
    help: 'The size of the newest checkpoint that the quorum of witnesses cosigned. Absent without WITNESS_POLICY.',
    read: ({ running: { witnesses, checkpoints } }) => {
      return witnesses && (checkpoints?.cosigned?.size ?? 0);
    },
  },
  {
    name: 'opbench_witnesses',
    type: 'gauge',
    help: 'Witnesses by their last answer. Absent without WITNESS_POLICY.',
    label: 'state',
    read: ({ running: { witnesses } }) => witnesses && witnessesByState(witnesses),
  },
  {
    name: 'opbench_checkpoint_fault',
    type: 'gauge',
    help: 'Whether checkpoints have this fault, as in /readyz. Absent until the first update.',
    label: 'fault',
    read: ({ health }) => checkpointFaultsIn(health()),
  },
  {
    name: 'opbench_storage_bytes',
    type: 'gauge',
    help: 'The size of the database and of its write-ahead log.',
    label: 'file',
    read: async ({ config }) => {
      if (!config) return null;
      const path = databasePath(config);
      const [database, wal] = await Promise.all([bytesAt(path), bytesAt(`${path}-wal`)]);
      return { database, wal };
    },
  },
  {
    name: 'opbench_storage_free_bytes',
    type: 'gauge',
    help: 'Free space on the disk of the data folder.',
    read: async ({ config }) => {
      if (!config) return null;
      const { bavail, bsize } = await statfs(config.dataDir);
      return bavail * bsize;
    },
  },
  {
    name: 'opbench_mails_total',
    type: 'counter',
    help: 'Emails that the mail server accepted, and emails that failed.',
    label: 'result',
    read: () => {
      const { sent, failed } = mailCounts();
      return { sent, failed };
    },
  },
  {
    name: 'opbench_mails_waiting',
    type: 'gauge',
    help: 'Emails that are being sent.',
    read: () => mailCounts().waiting,
  },
  {
    name: 'opbench_webhook_deliveries',
    type: 'gauge',
    help: 'Deliveries of webhooks in the last 30 days, by state: pending, delivered or failed.',
    label: 'state',
    read: ({ running: { store } }) => {
      const counts = store?.webhookOutbox.counts().map(({ state, count }) => [state, count]);
      return counts && { pending: 0, delivered: 0, failed: 0, ...Object.fromEntries(counts) };
    },
  },
  {
    name: 'opbench_backup_last_success_timestamp_seconds',
    type: 'gauge',
    help: 'When the last backup was made, by the server or by opbench-board backup, in Unix time.',
    read: ({ running: { store } }) => {
      const madeAt = store?.auditLog.lastBackupAt();
      return madeAt ? Date.parse(madeAt) / 1000 : null;
    },
  },
  {
    name: 'opbench_backup_running',
    type: 'gauge',
    help: 'Whether a scheduled backup is being made. Absent without BACKUP_DIR.',
    read: ({ running: { backups } }) => backups && Number(backups.isRunning),
  },
  {
    name: 'opbench_backup_failing',
    type: 'gauge',
    help: 'Whether the last scheduled backup failed. Absent without BACKUP_DIR.',
    read: ({ running: { backups } }) => backups && Number(backups.health.state === 'failed'),
  },
  {
    name: 'opbench_backup_failures_total',
    type: 'counter',
    help: 'Scheduled backups that failed. Absent without BACKUP_DIR.',
    read: ({ running: { backups }, events }) => backups && events.of('backup_failed'),
  },
  {
    name: 'opbench_backup_last_bytes',
    type: 'gauge',
    help: 'The size of the last scheduled backup of this process.',
    read: ({ running: { backups } }) => backups?.last?.bytes,
  },
  {
    name: 'opbench_backup_last_duration_seconds',
    type: 'gauge',
    help: 'How long the last scheduled backup of this process took.',
    read: ({ running: { backups } }) => backups?.last?.seconds,
  },
  {
    name: 'opbench_object_store_failing',
    type: 'gauge',
    help: 'Whether the last request to the object store or the last upload failed. Absent without OBJECT_STORE_URL.',
    read: ({ running: { objectStore } }) => objectStore && Number(!objectStore.status.isReachable),
  },
  {
    name: 'opbench_object_store_failures_total',
    type: 'counter',
    help: 'Requests and uploads that failed after all attempts. Absent without OBJECT_STORE_URL.',
    read: ({ running: { objectStore } }) => objectStore?.status.failures,
  },
  {
    name: 'opbench_object_store_written_bytes_total',
    type: 'counter',
    help: 'Bytes that were written to the object store. Absent without OBJECT_STORE_URL.',
    read: ({ running: { objectStore } }) => objectStore?.status.bytes,
  },
  {
    name: 'opbench_object_store_written_objects_total',
    type: 'counter',
    help: 'Objects that were written to the object store. Absent without OBJECT_STORE_URL.',
    read: ({ running: { objectStore } }) => objectStore?.status.objects,
  },
  {
    name: 'opbench_object_store_confirmed_timestamp_seconds',
    type: 'gauge',
    help: 'When the object store last had everything that the board shows, in Unix time. Absent until then.',
    read: ({ running: { objectStore } }) => {
      const confirmedMs = objectStore?.status.confirmedMs;
      return confirmedMs ? confirmedMs / 1000 : null;
    },
  },
  {
    name: 'opbench_parquet_failing',
    type: 'gauge',
    help: 'Whether the last attempt to write or delete the daily Parquet file failed. Absent on boards without one.',
    read: ({ running: { parquet } }) => parquet?.status && Number(parquet.status.isFailing),
  },
  {
    name: 'opbench_parquet_uploaded_timestamp_seconds',
    type: 'gauge',
    help: 'When this process uploaded the daily Parquet file, in Unix time. Absent while there is none.',
    read: ({ running: { parquet } }) => {
      const uploadedMs = parquet?.status?.uploadedMs;
      return uploadedMs ? uploadedMs / 1000 : null;
    },
  },
  {
    name: 'opbench_log_events_total',
    type: 'counter',
    help: 'Lines in the log with level warn or error, except requests.',
    label: 'event',
    read: ({ events }) => events.all,
  },
];

function witnessesByState({ witnesses }: NonNullable<Running['witnesses']>) {
  const counts: Record<string, number> = {};
  for (const { report } of witnesses) {
    const state = report?.state ?? 'not_asked';
    counts[state] = (counts[state] ?? 0) + 1;
  }
  return counts;
}

function checkpointFaultsIn({ checkpoint, witnesses }: Health): Reading {
  if (checkpoint === null) return null;
  const own = ['forked', 'rewound', 'unreadable'] satisfies CheckpointFault[];
  return {
    ...Object.fromEntries(own.map((fault) => [fault, Number(checkpoint === fault)])),
    witness_alarm: Number(witnesses === 'alarm'),
  };
}

function publicationIn({ publisher }: MetricSources['running']) {
  return publisher?.edition?.publication;
}

/** A file that does not exist takes no space. */
async function bytesAt(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch {
    return 0;
  }
}
