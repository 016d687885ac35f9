/**
 * Makes this machine the writer of a board. Only the order of the steps keeps the log one: the claim is taken over when
 * everything else is known to work, the old writer gets the time to see that, and then its log must not have grown.
 */
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Config, databasePath } from '../config/config.ts';
import { type ObjectStore, ObjectStoreError } from '../object-store/object-store.ts';
import {
  FencedError,
  type WriterClaim,
  claimPath,
  hasClaim,
  ownClaim,
  readClaim,
  takeOverClaim,
} from '../object-store/writer-claim.ts';
import { BackupError } from '../process/backup-error.ts';
import { leftoversIn } from './backups.ts';
import type { GivenLog } from './continue-log.ts';
import { type LogSource, logSourceIn } from './log-source.ts';
import { readCheckpoint } from './published-entries.ts';
import { type Restored, restoreBoard } from './restoring.ts';

/** A running writer looks at the claim every four seconds. */
const OLD_WRITER_STOPS_MS = 6_000;

interface Promoting {
  config: Pick<Config, 'dataDir' | 'root'>;
  store: ObjectStore;
  /** A copy of the database. */
  file: string;
  /** Whether the log may be missing in the store, as that of a board for members, because the copy is complete. */
  complete: boolean;
  now: Date;
  /** Told before the wait for the old writer. */
  onClaim: () => void;
  /** How long the old writer may take to see that it was replaced. */
  stopsMs?: number | undefined;
}

/**
 * @throws {BackupError} if the data folder or the copy cannot be used, the log in the store is not that of the copy, or
 *   another machine becomes the writer.
 * @throws {StoreError} as {@linkcode restoreBoard}.
 */
export async function promote({ onClaim, stopsMs, ...promoting }: Promoting): Promise<Restored> {
  const { config, store, file, complete, now } = promoting;
  refuseUsed(config.dataDir, file);
  try {
    const source = complete && !(await hasLog(store)) ? null : await logSourceIn(store);
    const takeover = new Takeover({ store, source, dataDir: config.dataDir, onClaim, stopsMs });
    await takeover.begin();
    const allowed = { newLog: false, complete: source === null };
    const restoring = { config, file, log: source, over: false, allowed, now };
    const isFinal = (given: GivenLog | null) => takeover.isFinal(given);
    return await restoreBoard({ ...restoring, isFinal });
  } catch (error) {
    throw inWords(error);
  }
}

/** Whether this data folder has a board, and the claim of the writer. */
export async function isWriter(
  { dataDir }: Pick<Config, 'dataDir'>,
  store: Pick<ObjectStore, 'get'>,
): Promise<boolean> {
  return existsSync(databasePath({ dataDir })) && hasClaim(store, dataDir);
}

async function hasLog(store: ObjectStore): Promise<boolean> {
  return (await store.get('log/checkpoint')) !== null;
}

/** What an interrupted promotion leaves, and what every file system or start has. */
const EXPECTED = /^(?:log-checkpoint.*|backups|server\.lock(?:-journal)?|lost\+found)$/;

/** @throws {BackupError} `taken` if the folder has files of something else than an interrupted promotion. */
function refuseUsed(dataDir: string, file: string): void {
  const leftovers = [...leftoversIn(dataDir), claimPath(dataDir)].map((path) => basename(path));
  const isOwn = (name: string) => dirname(file) === resolve(dataDir) && file.endsWith(`/${name}`);
  const [other] = readNames(dataDir).filter((name) => {
    return !EXPECTED.test(name) && !leftovers.includes(name) && !isOwn(name);
  });
  if (other === undefined) return;
  throw new BackupError(
    'taken',
    `${dataDir} is not empty: it has ${other}. promote needs an empty folder. Move the files to another folder, or set DATA_DIR. Nothing was changed`,
  );
}

function readNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

type TakeoverOptions = Pick<Promoting, 'onClaim' | 'stopsMs' | 'store'> & {
  source: LogSource | null;
  dataDir: string;
};

class Takeover {
  readonly #options: TakeoverOptions;
  #before: { value: WriterClaim; etag: string } | null = null;
  #own: WriterClaim | null = null;
  #waited: Promise<void> | null = null;

  constructor(options: TakeoverOptions) {
    this.#options = options;
  }

  /** @throws {FencedError} if another machine became the writer after an interrupted promotion of this one. */
  async begin(): Promise<void> {
    const { store, dataDir } = this.#options;
    this.#before = await readClaim(store);
    this.#own = ownClaim(dataDir);
    if (this.#own) this.#confirm(this.#before?.value ?? null);
  }

  /**
   * Takes the claim over, if this is not done yet, and waits until the old writer has seen that.
   *
   * @returns Whether the log is still as it was read.
   * @throws {FencedError} if another machine became the writer meanwhile.
   */
  async isFinal(given: GivenLog | null): Promise<boolean> {
    const { store, dataDir, source, onClaim, stopsMs = OLD_WRITER_STOPS_MS } = this.#options;
    const size = given?.checkpoint?.size ?? 0;
    const options = { before: this.#before, dataDir, logSize: size, now: new Date() };
    this.#own ??= await takeOverClaim(store, options);
    onClaim();
    // From when the store has the claim. Its time is from a clock, which may have been set since.
    await (this.#waited ??= wait(stopsMs));
    this.#confirm((await readClaim(store))?.value ?? null);
    return source === null || (await readCheckpoint(source)).size === size;
  }

  #confirm(found: WriterClaim | null): void {
    if (found?.writer === this.#own?.writer) return;
    throw new FencedError(found ?? { since: 'an unknown time' });
  }
}

function inWords(error: unknown): unknown {
  if (error instanceof FencedError) {
    const message = `${error.message.replace(/ This one.*$/, '')} This promotion was not completed, and there is no board here. To promote this machine after all, empty its data folder and start again`;
    return new BackupError('taken', message);
  }
  if (!(error instanceof ObjectStoreError)) return error;
  const message = error.message.replace(/\.$/, '');
  if (error.fault !== 'changed') {
    return new BackupError('disk', `${message}. There is no board here yet. Try again`);
  }
  return new BackupError(
    'taken',
    'Another machine became the writer meanwhile. This promotion was not completed, and there is no board here',
  );
}
