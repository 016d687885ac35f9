/** Reads many logs, with more threads if they are large. */
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { readers } from '#core/readers/readers.ts';
import { reasonFor } from './files.ts';
import { type Entry, LogReader, type Pace, type Reading } from './read-log.ts';

/** A log to read. */
export interface Job {
  tool: string;
  path: string;
  /** From an earlier scan. */
  before: Entry | undefined;
  /** How much is to be read. */
  bytes: number;
}

/** A reading, or why there is none. */
export type Outcome = Reading | { reason: string };

/** What the threads share: the jobs, and the number of those that were taken. */
export interface Shared {
  jobs: readonly Job[];
  taken: Int32Array<SharedArrayBuffer>;
}

/** What another thread sends: the place of a job, and its outcome as JSON, which is faster than a structured clone. */
export interface Sent {
  at: number;
  outcome: string;
}

/** A reading without a usage that is the entry's. */
type Packed = { entry: Entry; usage: Reading['usage'] | null } | { reason: string };

export function packed(outcome: Outcome): string {
  if ('reason' in outcome) return JSON.stringify(outcome);
  const { entry, usage } = outcome;
  return JSON.stringify({ entry, usage: usage === entry.usage ? null : usage } satisfies Packed);
}

function unpacked(text: string): Outcome {
  const outcome = JSON.parse(text) as Packed;
  if ('reason' in outcome) return outcome;
  return { entry: outcome.entry, usage: outcome.usage ?? outcome.entry.usage };
}

interface Options {
  pace: Pace;
  /** From this size on, starting other threads saves time. */
  threadsFrom?: number;
}

const THREADS_FROM = 32 << 20;

/** More would not save much time, because their readings are put together by one thread. */
const MOST_THREADS = 3;

/** As few megabytes as the lines of one log need. */
const YOUNG_MB = 4;

/** In the built program, all modules are in one file, whose first lines find out that they run in a thread. */
const PROGRAM = new URL(
  import.meta.url.endsWith('.ts') ? './thread.ts' : import.meta.url,
  import.meta.url,
);

/** Reads logs, the largest first. The outcomes are in the order of the jobs. */
export async function readAll(
  asked: readonly Job[],
  { pace, threadsFrom = THREADS_FROM }: Options,
): Promise<Outcome[]> {
  const jobs = asked.toSorted((a, b) => b.bytes - a.bytes);
  const shared = sharedJobs(jobs);
  const outcomes = new Map<Job, Outcome>();
  const bytes = jobs.reduce((sum, job) => sum + job.bytes, 0);
  const most = bytes < threadsFrom ? 0 : Math.min(MOST_THREADS, jobs.length - 1);
  const threads = Array.from({ length: Math.min(most, availableParallelism() - 1) }, () =>
    startThread(shared, outcomes, { pace }),
  );
  for await (const [job, outcome] of outcomesOf(shared, pace)) outcomes.set(job, outcome);
  await Promise.all(threads);
  // What a failed thread had taken.
  const left = sharedJobs(jobs.filter((job) => !outcomes.has(job)));
  for await (const [job, outcome] of outcomesOf(left, pace)) outcomes.set(job, outcome);
  return asked.map((job) => outcomes.get(job) as Outcome);
}

export function sharedJobs(jobs: readonly Job[]): Shared {
  return { jobs, taken: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) };
}

/** Takes jobs that no thread has taken, and reads them. */
export async function* outcomesOf(
  { jobs, taken }: Shared,
  pace: Pace,
): AsyncGenerator<[Job, Outcome, number]> {
  const opened = new Map<string, LogReader>();
  for (;;) {
    const at = Atomics.add(taken, 0, 1);
    const job = jobs[at];
    if (job === undefined) return;
    const reader = opened.get(job.tool) ?? new LogReader(readerOf(job.tool), pace);
    opened.set(job.tool, reader);
    yield [job, await outcomeOf(reader, job), at];
  }
}

async function outcomeOf(reader: LogReader, { path, before }: Job): Promise<Outcome> {
  try {
    return await reader.read(path, before);
  } catch (error) {
    return { reason: reasonFor(path, error) };
  }
}

function readerOf(tool: string) {
  const reader = readers.find((one) => one.tool === tool);
  if (reader === undefined) throw new Error(`There is no reader for ${tool}`);
  return reader;
}

/** Starts a thread that reads logs. Ends when the thread does, whether it failed or not. */
export async function startThread(
  shared: Shared,
  outcomes: Map<Job, Outcome>,
  { pace, program = PROGRAM }: { pace: Pace; program?: URL | string },
): Promise<void> {
  const thread = new Worker(program, {
    workerData: shared,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  });
  thread.on('message', ({ at, outcome }: Sent) => {
    const job = shared.jobs[at];
    if (job === undefined) return;
    outcomes.set(job, unpacked(outcome));
    void pace(job.bytes);
  });
  await once(thread, 'exit').catch(() => undefined);
}
