/** Checks the object store: address, credentials, what the service can do, and the age of what the board wrote. */
import { utcDay } from '#core/domain/counting/day.ts';
import type { Config } from '#server/config/config.ts';
import { hasConditionalWrites } from '#server/object-store/conditional.ts';
import { type Current, isReadable, readCurrent } from '#server/object-store/current.ts';
import { PARQUET } from '#server/object-store/keys.ts';
import { ObjectStoreError, type StoreFault } from '#server/object-store/object-store.ts';
import { S3Store } from '#server/object-store/s3-store.ts';
import { ownClaim, readClaim } from '#server/object-store/writer-claim.ts';
import { type DoctorCheck, checksOf, durationText } from './check.ts';

const { ok, warning, problem } = checksOf('object store');

const SECRETS = ['OBJECT_STORE_ACCESS_KEY_ID', 'OBJECT_STORE_SECRET_ACCESS_KEY'];

const ADVICE: Readonly<Record<StoreFault, string>> = {
  changed: 'Run the command again.',
  denied:
    'Check the credentials. They must allow to list the bucket, and to read, write and delete its objects.',
  refused: 'Check the bucket, the prefix and the region in OBJECT_STORE_URL.',
  unreachable:
    'Check the host in OBJECT_STORE_URL, and whether a firewall blocks the connection. Until then, this machine does not learn whether another one became the writer.',
};

/** @param unknown Secret settings whose values are placeholders. */
export async function objectStoreChecks(
  config: Pick<Config, 'dataDir' | 'objectStore'>,
  unknown: readonly string[],
): Promise<DoctorCheck[]> {
  if (!config.objectStore || SECRETS.some((name) => unknown.includes(name))) return [];
  try {
    return await examine(new S3Store(config.objectStore), config.dataDir);
  } catch (error) {
    if (!(error instanceof ObjectStoreError)) throw error;
    return [problem(error.message, ADVICE[error.fault])];
  }
}

async function examine(store: S3Store, dataDir: string): Promise<DoctorCheck[]> {
  const isConditional = await hasConditionalWrites(store);
  const current = (await readCurrent(store))?.value ?? null;
  return [
    ok('it accepts the credentials, and objects can be written and deleted'),
    isConditional
      ? ok('it supports conditional writes')
      : warning(
          'it ignores conditional writes',
          'Make sure that only one machine is the writer. The board checks that before each upload.',
        ),
    ...versioningCheck(await store.isVersioned()),
    ...(await writerCheck(store, dataDir)),
    currentCheck(current),
    ...(current?.access === 'open' ? [parquetCheck(await store.list(PARQUET))] : []),
  ];
}

function versioningCheck(isVersioned: boolean | null): DoctorCheck[] {
  if (isVersioned === null) return [];
  if (!isVersioned) return [ok('the bucket keeps no old versions of objects')];
  const advice = 'Turn versioning off, because deleted accounts stay readable in old versions.';
  return [problem('the bucket keeps old versions of objects', advice)];
}

async function writerCheck(store: S3Store, dataDir: string): Promise<DoctorCheck[]> {
  const found = await readClaim(store);
  if (!found) {
    return [ok('no machine is the writer yet, so the next server that starts becomes it')];
  }
  const { writer, since } = found.value;
  if (writer === ownClaim(dataDir)?.writer)
    return [ok(`this machine is the writer since ${since}`)];
  const advice = 'To make this machine the writer, run: opbench-board promote';
  return [problem(`another machine is the writer since ${since}`, advice)];
}

function currentCheck(current: Current | null): DoctorCheck {
  if (!current) return warning('nothing is published to it yet', 'Start the board.');
  const { publication, written_at } = current;
  const age = durationText(Date.now() - Date.parse(written_at));
  if (isReadable(current)) return ok(`publication ${publication} was written ${age} ago`);
  const advice = 'Use the version of opbench-board that wrote it, or start this one as the writer.';
  return warning(`publication ${publication} is from another version`, advice);
}

/** How long after midnight the file of the day before may still be there. An upload that failed is tried again by then. */
const PARQUET_PATIENCE_MS = 60 * 60 * 1000;
const PARQUET_ADVICE =
  'It is written within a minute after the server starts, after midnight (UTC), and after somebody hides. If this lasts, see the parquet_failed lines in the log of the server.';

/** @param keys The keys of its objects: the same file under its day and as the latest. */
function parquetCheck(keys: readonly string[]): DoctorCheck {
  const days = keys.flatMap((key) => /(\d{4}-\d\d-\d\d)\.parquet$/.exec(key)?.[1] ?? []);
  const [day] = days;
  if (day === undefined) return warning('the daily Parquet file is missing', PARQUET_ADVICE);
  // An upload deletes the file of the day before at its end.
  if (keys.length !== 2 || days.length !== 1) {
    return warning('the daily Parquet file was not uploaded completely', PARQUET_ADVICE);
  }
  if (day >= utcDay(Date.now() - PARQUET_PATIENCE_MS))
    return ok(`the daily Parquet file is of ${day}`);
  return warning(`the daily Parquet file is old: it is of ${day}`, PARQUET_ADVICE);
}
