/** Logs to read, as a list that several threads may take from. */
import { readers } from '#core/readers/readers.ts';
import type { Pace } from './bytes.ts';
import { reasonFor } from './files.ts';
import { textOfEntry } from './kept-entry.ts';
import { type Entry, LogReader, type Reading } from './read-log.ts';

/** One log to read. */
export interface Task {
  tool: string;
  path: string;
  /** An earlier reading to go on from. */
  before?: Entry | undefined;
}

/** What a log says and, as the index keeps it, in text; or why it could not be read. */
export type Outcome = (Reading & { text: string }) | { reason: string };

export type ReadTask = (task: Task) => Promise<Outcome>;

/** Tasks that threads share. */
export interface SharedTasks<Of extends Task = Task> {
  tasks: readonly Of[];
  /** How many tasks were taken. */
  taken: Int32Array<SharedArrayBuffer>;
  /** How many KiB were read. */
  read: Int32Array<SharedArrayBuffer>;
}

export function shareTasks<Of extends Task>(tasks: readonly Of[]): SharedTasks<Of> {
  return { tasks, taken: sharedCount(), read: sharedCount() };
}

function sharedCount(): Int32Array<SharedArrayBuffer> {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}

/** Takes tasks as long as there are any, and reads them. */
export async function* readTaken(
  { tasks, taken }: SharedTasks,
  readTask: ReadTask,
): AsyncGenerator<[index: number, outcome: Outcome]> {
  for (;;) {
    const index = Atomics.add(taken, 0, 1);
    const task = tasks[index];
    if (task === undefined) return;
    yield [index, await readTask(task)];
  }
}

/** A function that reads the logs of any tool, one after the other. */
export function taskReader(pace: Pace): ReadTask {
  const logReaders = new Map<string, LogReader>();
  return async ({ tool, path, before }) => {
    try {
      const logReader = logReaders.get(tool) ?? logReaderOf(tool, pace);
      logReaders.set(tool, logReader);
      const reading = await logReader.read(path, before);
      return { ...reading, text: textOfEntry(reading.entry) };
    } catch (error) {
      return { reason: reasonFor(path, error) };
    }
  };
}

function logReaderOf(name: string, pace: Pace): LogReader {
  const reader = readers.find(({ tool }) => tool === name);
  if (reader === undefined) throw new Error(`No reader for ${name}`);
  return new LogReader(reader, pace);
}
