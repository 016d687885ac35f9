/** The part of the board's database that pages need, made from facts on demand. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import type { Store } from '#db/store.ts';
import type { BoardFacts } from './board-facts.ts';
import { CopiedUnits, type ReadUnit } from './copied-units.ts';
import { FactsError } from './facts-error.ts';
import type { FactsIndex } from './facts-index.ts';
import { type FactsContent, fileKey, keyOf, readContent } from './facts-object.ts';
import { storeOver } from './replica-store.ts';

export interface WorkingCopyOptions {
  /** The folder of the program's migrations. */
  migrations: string;
  /** Reads an object; null if there is none. */
  get: (key: string) => Promise<Uint8Array | null>;
  now: () => Date;
  /** How many bytes of objects stay loaded. Those that were read least recently are dropped first. */
  mostBytes?: number;
}

const MOST_BYTES = 256 * 1024 * 1024;
/** After so many runs, work needs more than can be loaded. */
const MOST_RUNS = 200;

/** Kinds of units that are loaded with an index. All others are loaded when they are needed. */
const RESIDENT = ['board', 'names', 'pictures'];

/** One call of {@linkcode WorkingCopy.complete}. */
interface Run {
  /** What was needed and is not loaded. */
  missing: Set<string>;
  /** What will probably be needed. */
  expected: Set<string>;
  /** What was read, and stays loaded until the end. */
  used: Set<string>;
  /** Why the answer cannot be made from facts. */
  refusal: FactsError | null;
}

/** Thrown by methods of the store. The units are loaded before they are called again. */
class NotLoaded extends FactsError {
  readonly units: readonly string[];

  constructor(units: readonly string[]) {
    super('missing', `${units.join(', ')} must be loaded first`);
    this.units = units;
  }
}

type Outcome<Result> = { result: Result } | { error: unknown };

export class WorkingCopy {
  /**
   * Use it inside {@linkcode complete}. Methods that need an operator or a day that is not loaded throw, and are called
   * again later. Methods that only the board's database can answer throw {@linkcode FactsError} `live`.
   */
  readonly store: Store;
  readonly #options: WorkingCopyOptions;
  readonly #units: CopiedUnits;
  readonly #context = new AsyncLocalStorage<Run>();
  readonly #runs = new Set<Run>();
  /** By key. */
  readonly #loading = new Map<string, Promise<void>>();
  /** How often something was missing, in any run. */
  #misses = 0;
  #index: FactsIndex | null = null;
  #byKind = new Map<string, string[]>();
  #board: BoardFacts | null = null;
  #switching: Promise<void> = Promise.resolve();

  /** Makes an empty copy in a temporary file, which is deleted with the process. */
  constructor(options: WorkingCopyOptions) {
    this.#options = options;
    this.#units = new CopiedUnits(options);
    this.store = storeOver(this.#units, {
      board: () => this.#facts(),
      unitsOf: (kind) => this.#byKind.get(kind) ?? [],
      need: (...units) => this.#need(units),
      expect: (...units) => units.forEach((unit) => this.#context.getStore()?.expected.add(unit)),
      file: (sha256) => this.#file(`files/${sha256}`),
      refuse: () => this.#refuse(),
    });
  }

  /** The writer's settings, of the index in use. */
  get settings(): unknown {
    return this.#facts().settings;
  }

  /**
   * Loads what concerns the whole board, then switches to it at once. Operators that the index does not name are gone
   * when this resolves. If it rejects, the index before stays in use.
   *
   * @throws {FactsError} `missing` or `damaged`.
   */
  use(index: FactsIndex): Promise<void> {
    const before = this.#switching.catch(() => undefined);
    this.#switching = before.then(() => this.#switchTo(index));
    return this.#switching;
  }

  /** Removes everything at once, before the next index is loaded. */
  forget(): void {
    this.#index = null;
    this.#board = null;
    this.#byKind.clear();
    this.#units.replace(() => false, []);
  }

  /**
   * A file that the index names, by SHA-256; null if it names none.
   *
   * @throws {FactsError} `missing` or `damaged`.
   */
  async file(sha256: string): Promise<Uint8Array | null> {
    const unit = `files/${sha256}`;
    await this.#load(unit);
    return this.#units.file(unit);
  }

  /**
   * Runs `work` until it needs nothing that is not loaded, and loads the rest in between. Runs may overlap. Bodies that
   * are made later must be read inside `work`.
   *
   * @param isRefused Whether a result may be the answer to an error that another run caused in work that they share.
   * @throws {FactsError} `missing`, `damaged` or `live`.
   */
  async complete<Result>(
    work: () => Promise<Result>,
    isRefused: (result: Result) => boolean = () => false,
  ): Promise<Result> {
    const run: Run = { missing: new Set(), expected: new Set(), used: new Set(), refusal: null };
    this.#runs.add(run);
    try {
      for (let round = 0; round < MOST_RUNS; round += 1) {
        const misses = this.#misses;
        const outcome = await this.#context.run(run, () => settled(work));
        if (run.refusal) throw run.refusal;
        const missing = missingIn(run, outcome);
        if (missing.length > 0) await this.#loadAll(missing, run);
        else if ('error' in outcome) throw outcome.error;
        else if (misses === this.#misses || !isRefused(outcome.result)) return outcome.result;
      }
      throw live();
    } finally {
      this.#runs.delete(run);
      this.#dropOldest();
    }
  }

  close(): void {
    this.#units.close();
  }

  #facts(): BoardFacts {
    return this.#board ?? this.#refuse(new FactsError('missing', 'No facts are loaded'));
  }

  #refuse(error = live()): never {
    const run = this.#context.getStore();
    if (run) run.refusal = error;
    throw error;
  }

  #file(unit: string): Uint8Array {
    this.#need([unit]);
    return this.#units.file(unit) ?? this.#refuse();
  }

  #need(units: readonly string[]): void {
    this.#facts();
    const run = this.#context.getStore();
    const missing = units.filter((unit) => {
      if (!this.#units.touch(unit)) return this.#isNamed(unit);
      run?.used.add(unit);
      return false;
    });
    if (missing.length === 0) return;
    for (const unit of missing) run?.missing.add(unit);
    this.#misses += 1;
    throw new NotLoaded(missing);
  }

  /** Whether the index names a unit. An operator who got a page after the facts were planned has none yet. */
  #isNamed(unit: string): boolean {
    if (this.#versionOf(unit) !== undefined) return true;
    const [kind, id] = unit.split('/');
    const { operators } = this.#units.replica.parts;
    const isLate = kind === 'operators' && operators.byId(Number(id))?.is_open === 1;
    return isLate ? this.#refuse() : false;
  }

  #versionOf(unit: string): string | undefined {
    const [kind, name = ''] = unit.split('/');
    if (kind === 'files') return this.#index?.files.has(name) ? name : undefined;
    return this.#index?.units.get(unit);
  }

  async #loadAll(missing: readonly string[], run: Run): Promise<void> {
    const wanted = new Set([...missing, ...run.expected]);
    run.missing.clear();
    run.expected.clear();
    await Promise.all([...wanted].map((unit) => this.#load(unit)));
  }

  /** Loads a unit that the index in use names, unless it is loaded. */
  async #load(unit: string): Promise<void> {
    const version = this.#versionOf(unit);
    if (version === undefined || this.#units.versionOf(unit) === version) return;
    const key = unit.startsWith('files/') ? fileKey(version) : keyOf(unit, version);
    const loading = this.#loading.get(key) ?? this.#readAndAdd(unit, version, key);
    this.#loading.set(key, loading);
    await loading.finally(() => this.#loading.delete(key));
  }

  async #readAndAdd(unit: string, version: string, key: string): Promise<void> {
    const read = await this.#read(unit, version, key);
    const isWanted = this.#versionOf(unit) === version && this.#units.versionOf(unit) !== version;
    if (isWanted) this.#units.replace(() => true, [read]);
  }

  async #read(unit: string, version: string, key = keyOf(unit, version)): Promise<ReadUnit> {
    const bytes = await this.#options.get(key);
    const isFile = unit.startsWith('files/');
    const content = isFile ? checkedFile(key, version, bytes) : readContent(key, bytes);
    return { unit, version, size: bytes?.length ?? 0, content };
  }

  async #switchTo(index: FactsIndex): Promise<void> {
    const isMissing = ([unit, version]: [string, string]) =>
      isResident(unit) && this.#units.versionOf(unit) !== version;
    const read = new Map<string, ReadUnit>();
    // Everything may be forgotten meanwhile.
    for (;;) {
      const missing = [...index.units].filter((each) => isMissing(each) && !read.has(each[0]));
      if (missing.length === 0) break;
      const found = await Promise.all(missing.map(([unit, version]) => this.#read(unit, version)));
      for (const each of found) read.set(each.unit, each);
    }
    const isWanted = (unit: string, version: string) => {
      return unit.startsWith('files/')
        ? index.files.has(version)
        : index.units.get(unit) === version;
    };
    this.#units.replace(
      isWanted,
      [...read.values()].filter(({ unit }) => {
        return isMissing([unit, index.units.get(unit) ?? '']);
      }),
    );
    const board = read.get('board')?.content as FactsContent | undefined;
    if (board) this.#board = board.facts as BoardFacts;
    this.#index = index;
    this.#byKind = unitsByKind(index);
  }

  #dropOldest(): void {
    const used = new Set([...this.#runs].flatMap((run) => [...run.used]));
    const isKept = (unit: string) => used.has(unit) || isResident(unit);
    this.#units.dropOldest(this.#options.mostBytes ?? MOST_BYTES, isKept);
  }
}

function isResident(unit: string): boolean {
  return RESIDENT.includes(unit.split('/')[0] ?? '');
}

async function settled<Result>(work: () => Promise<Result>): Promise<Outcome<Result>> {
  try {
    return { result: await work() };
  } catch (error) {
    return { error };
  }
}

/** What a run missed, also if it shares work with another run that noted it. */
function missingIn({ missing }: Run, outcome: Outcome<unknown>): string[] {
  const error = 'error' in outcome ? outcome.error : null;
  return [...missing, ...(error instanceof NotLoaded ? error.units : [])];
}

function live(): FactsError {
  return new FactsError('live', "Only the board's own machine has the answer");
}

/** The units of an index by the first part of their names, and days also by day. */
function unitsByKind({ units }: FactsIndex): Map<string, string[]> {
  return Map.groupBy(units.keys(), (unit) => {
    const [kind = '', first] = unit.split('/');
    return kind === 'days' ? `${kind}/${first}` : kind;
  });
}

function checkedFile(key: string, sha256: string, bytes: Uint8Array | null): Uint8Array {
  if (bytes === null) throw new FactsError('missing', `The object store has no ${key}`);
  if (createHash('sha256').update(bytes).digest('hex') === sha256) return bytes;
  throw new FactsError('damaged', `${key} in the object store does not have its content`);
}
