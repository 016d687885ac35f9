/**
 * A second thread that reads half of all operators, where everything has to be read: at start, and with
 * each new day.
 *
 * @module
 */
import { type MessagePort, Worker } from 'node:worker_threads';
import type { Store } from '#db/store.ts';
import type { Ruleset } from '#core/domain/board/ruleset.ts';
import { type Changes, projectChanged } from './project-changed.ts';
import type { ProjectedOperator } from './projected-operator.ts';

/** What a thread has read: all of it, as of a log entry. */
export interface ReadShare {
  log_index: number;
  operators: Iterable<readonly [id: number, operator: ProjectedOperator]>;
}

/** Has changes read elsewhere. */
export type ReadElsewhere = (changes: Changes) => Promise<ReadShare>;

type Piece = [id: number, operator: ProjectedOperator][];
type Message = { piece: Piece } | { log_index: number };

/** Operators in one message: few enough that no message is large. */
const PIECE = 500;

/** Answers the changes that the thread was started for, and ends. */
export function answerChanges(
  port: MessagePort,
  store: Store,
  ruleset: Ruleset,
  changes: Changes,
): void {
  const say = (message: Message, moved: ArrayBuffer[] = []) => port.postMessage(message, moved);
  let piece: Piece = [];
  const sendPiece = () => {
    say(
      { piece },
      piece.map(([, { rows }]) => rows.buffer),
    );
    piece = [];
  };
  const log_index = store.snapshot(() => {
    projectChanged(store, ruleset, changes, (id, operator) => {
      if (piece.push([id, operator]) === PIECE) sendPiece();
    });
    return store.log.head()?.index ?? 0;
  });
  sendPiece();
  say({ log_index });
}

/** Starts a thread of a file that calls {@linkcode answerChanges}, and collects what it says. */
export async function readInThread(file: URL, workerData: object): Promise<ReadShare> {
  const worker = new Worker(file, { workerData });
  const operators: Piece[] = [];
  try {
    const log_index = await new Promise<number>((resolve, reject) => {
      worker.on('message', (message: Message) => {
        if ('piece' in message) operators.push(message.piece);
        else resolve(message.log_index);
      });
      worker.once('error', reject);
      worker.once('exit', (code) => reject(new Error(`The thread ended with code ${code}`)));
    });
    return { log_index, operators: operators.flat() };
  } finally {
    await worker.terminate();
  }
}
