import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { WriteLock } from '#db/engine/write-lock.ts';
import { openStore } from '#db/store.ts';
import { MIGRATIONS, aDataDir } from '#tests/support/board/context.ts';

const ROW = { log_index: 1, as_of: '', ruleset: '', generated_at: '' };

/** A board's store that does not wait for SQLite's lock. */
function anImpatientStore() {
  const path = join(aDataDir(), 'opbench.sqlite');
  const options = { path, migrations: MIGRATIONS, busyTimeoutMs: 0 };
  const store = openStore({ ...options, now: () => new Date() });
  onTestFinished(() => store.close());
  return { store, path, options };
}

/** A thread of this process that writes without pauses. */
async function aWritingThread(workerData: object): Promise<Worker> {
  const thread = new Worker(new URL('writing-thread.mjs', import.meta.url), { workerData });
  onTestFinished(() => void thread.terminate());
  await once(thread, 'message');
  return thread;
}

test('a server writes while another thread of its process writes without pauses', async () => {
  const { store, options } = anImpatientStore();
  await aWritingThread({ ...options, writeLock: store.writeLock });

  for (let turn = 0; turn < 20; turn += 1) {
    expect(store.publications.begin(ROW)).toBeGreaterThan(0);
    expect(store.transaction(() => store.publications.begin(ROW))).toBeGreaterThan(0);
    expect(await store.commit(() => store.publications.begin(ROW))).toBeGreaterThan(0);
    for (const move of store.moves) expect(move.step()).toBe(false);
  }
});

test('a server continues to write after a thread was ended within a transaction', async () => {
  const { store, options } = anImpatientStore();
  const thread = await aWritingThread({ ...options, writeLock: store.writeLock });

  await thread.terminate();

  expect(await store.commit(() => store.publications.begin(ROW))).toBeGreaterThan(0);
  expect(store.publications.begin(ROW)).toBeGreaterThan(0);
});

test('a shared commit waits for another process without blocking the event loop', async () => {
  const { store, path } = anImpatientStore();
  const other = new Database(path);
  onTestFinished(() => void other.close());
  other.exec('BEGIN IMMEDIATE');

  const written = store.commit(() => store.publications.begin(ROW));
  const isFirst = await Promise.race([written, once(AbortSignal.timeout(50), 'abort')]);
  expect(isFirst).toBeInstanceOf(Array);

  other.exec('COMMIT');
  expect(await written).toBe(1);
});

test('a second thread lets the first go before it', () => {
  const first = new WriteLock();
  const second = new WriteLock(first.memory);

  second.enter();
  expect(first.tryEnter()).toBe(false);
  second.leave();
  expect(second.tryEnter()).toBe(false);

  expect(first.tryEnter()).toBe(true);
  first.leave();
  expect(second.tryEnter()).toBe(true);
});
