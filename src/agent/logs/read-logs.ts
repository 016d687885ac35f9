/** Reads many logs, with a second thread where there is much to read. */
import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { kindOf } from './files.ts';
import { paceOf } from './pace.ts';
import {
  type Outcome,
  type ReadTask,
  type SharedTasks,
  type Task,
  readTaken,
  shareTasks,
  taskReader,
} from './tasks.ts';

/** A log to read, and about how many bytes of it. */
export interface SizedTask extends Task {
  bytes: number;
}

export interface ReadOptions {
  /** How many threads read; by default two where that pays. */
  threads?: 1 | 2;
  /** What the second thread runs, if it is not what was built in. */
  program?: URL;
  /** Hears now and then how far it is. */
  progress?: (text: string) => void;
}

declare const OPBENCH_THREAD: string | undefined;

/** What the second thread runs, written in when the command is built; null in the source. */
const THREAD = typeof OPBENCH_THREAD === 'undefined' ? null : OPBENCH_THREAD;

/** Below this a second thread takes longer to start than it saves, and memory is no concern. */
const MANY_BYTES = 100 << 20;

/** What each log says, or why it could not be read. */
export async function readLogs(
  tasks: readonly SizedTask[],
  options: ReadOptions,
): Promise<Map<Task, Outcome>> {
  if (sumBytes(tasks) >= MANY_BYTES) keepHeapSmall();
  const outcomes = new Map<Task, Outcome>();
  // The largest first, so that no thread is left with a large one at the end.
  const shared = shareTasks(tasks.filter(canBeShared).sort((a, b) => b.bytes - a.bytes));
  const readTask = taskReader(paceOf(shared.read, tellProgress(tasks, options)));
  await readShared(shared, outcomes, readTask, options);
  // All others, and what the second thread took and did not finish.
  for (const task of tasks) if (!outcomes.has(task)) outcomes.set(task, await readTask(task));
  return outcomes;
}

async function readShared(
  shared: SharedTasks<SizedTask>,
  outcomes: Map<Task, Outcome>,
  readTask: ReadTask,
  options: ReadOptions,
): Promise<void> {
  const keep = (index: number, outcome: Outcome) => {
    const task = shared.tasks[index];
    if (task) outcomes.set(task, outcome);
  };
  const program = options.program ?? THREAD;
  const second =
    program !== null && isWorthTwo(shared.tasks, options)
      ? new (await import('./second-thread.ts')).SecondThread(program, shared, keep)
      : null;
  for await (const [index, outcome] of readTaken(shared, readTask)) keep(index, outcome);
  const isWaiting = outcomes.size < shared.tasks.length;
  await (isWaiting ? second?.ended() : second?.stop());
}

/** Logs that are read from their beginning: what was said of others would have to be sent, too. */
function canBeShared({ path, before }: SizedTask): boolean {
  return kindOf(path) === 'lines' && before === undefined;
}

function isWorthTwo(tasks: readonly SizedTask[], { threads }: ReadOptions): boolean {
  if (tasks.length === 0) return false;
  if (threads !== undefined) return threads === 2;
  const isMuch = tasks.length > 1 && sumBytes(tasks) >= MANY_BYTES;
  return isMuch && availableParallelism() > 1;
}

/** The newest version of Node.js whose memory was measured. */
const MEASURED_NODE = 24;

/**
 * Keeps V8 from setting aside ever more room for short-lived objects, which saves a third of the
 * memory of a large scan and takes no time.
 */
function keepHeapSmall(): void {
  const major = Number(process.versions.node.split('.')[0]);
  if (major <= MEASURED_NODE) setFlagsFromString('--semi-space-growth-factor=1');
}

function tellProgress(tasks: readonly SizedTask[], { progress }: ReadOptions) {
  const kib = Math.max(1, sumBytes(tasks) / 1024);
  return (read: number) => {
    const percent = Math.min(100, Math.round((100 * read) / kib));
    progress?.(`reading logs: ${percent} % of ${Math.ceil(kib / 1024)} MB`);
  };
}

function sumBytes(tasks: readonly SizedTask[]): number {
  return tasks.reduce((sum, { bytes }) => sum + bytes, 0);
}
