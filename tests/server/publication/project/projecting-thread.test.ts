import { expect, test } from 'vitest';
import { changeVisibility } from '#server/operator/visibility.ts';
import { ProjectingThread } from '#server/publication/project/projecting-thread.ts';
import type { Queues } from '#server/publication/worker.ts';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import { anEnrolledDevice, execute, submit, testContext } from '#tests/support/board/context.ts';
import { aPublisher, workerOf } from '#tests/support/board/publisher.ts';
import { endOf, startedThreads } from '#tests/support/board/threads.ts';

test('an idle thread ends, and the next one publishes what has changed since', async () => {
  const ctx = testContext();
  const device = await anEnrolledDevice(ctx, 'ada');
  const threads = startedThreads();
  const publisher = aPublisher(ctx, { worker: { ...workerOf(ctx), idleMs: 1 } });
  await publisher.start();
  const { edition } = publisher;
  await endOf(threads);

  await publisher.publish();
  await endOf(threads);
  expect(publisher.edition).toBe(edition);

  await submit(ctx, device, bucketsOfDays(10, '2026-03-01'));
  await publisher.publish();
  await endOf(threads);
  expect(publisher.edition?.publication.window('30d').find('yield', 'ada')).toMatchObject({
    rank: 1,
  });

  const id = ctx.store.operators.byCodename('ada')?.id ?? 0;
  ctx.store.transaction(() => changeVisibility(ctx, id, { privacy_mode: 'private' }));
  await publisher.publishNow({ hides: true });
  await endOf(threads);
  expect(publisher.edition?.publication.window('30d').total('yield')).toBe(0);
  expect(ctx.errors).toEqual([]);
});

test('a thread moves all rows of an earlier version before it is idle, and logs that', async () => {
  const ctx = testContext();
  await submit(ctx, await anEnrolledDevice(ctx, 'ada'), bucketsOfDays(10, '2026-03-01'));
  // Stores all rows in the form of earlier versions.
  execute(ctx, 'UPDATE log_entries SET kind = kind');
  const rows = ctx.store.moves.reduce((sum, { left }) => sum + left(), 0);
  const lines: unknown[] = [];
  const logger = { ...ctx.logger, info: (...line: unknown[]) => void lines.push(line) };
  const threads = startedThreads();
  const queues: Queues[] = [];
  const onQueues = (each: Queues) => void queues.push(each);
  const worker = { ...workerOf(ctx), idleMs: 1 };
  const publisher = aPublisher(ctx, { worker, logger, onQueues });
  await publisher.start();
  await endOf(threads);

  expect(ctx.store.moves.map(({ left }) => left())).toEqual(ctx.store.moves.map(() => 0));
  expect(queues[0]).toEqual({ checks: 0, moves: ctx.store.moves.length, leftovers: 0 });
  expect(queues.at(-1)).toEqual({ checks: 0, moves: 0, leftovers: 0 });
  expect(lines).toContainEqual(['move_started', { move: 'log', rows }]);
  expect(lines).toContainEqual(['move_ended', { move: 'log', rows: 0 }]);
  expect(publisher.edition?.publication.window('30d').total('yield')).toBe(1);
});

test('after a difference, everything is computed again although nothing has changed', async () => {
  const ctx = testContext();
  await submit(ctx, await anEnrolledDevice(ctx, 'ada'), bucketsOfDays(10, '2026-03-01'));
  const warnings: unknown[] = [];
  const logger = { ...ctx.logger, warn: (...line: unknown[]) => void warnings.push(line) };
  const threads = startedThreads();
  let differences = 0;
  const worker = { ...workerOf(ctx), idleMs: 1 };
  const onDifference = () => (differences += 1);
  const publisher = aPublisher(ctx, { worker, logger, onDifference });
  const shown = () => publisher.edition?.publication.window('30d').find('yield', 'ada')?.metrics;
  await publisher.start();
  await endOf(threads);
  const before = shown();
  expect(warnings).toEqual([]);

  // The projection reads only the name again, so it shows a board that differs from the database.
  execute(ctx, 'UPDATE buckets SET output = 2 * output');
  execute(ctx, "UPDATE operators SET display_name = 'Ada'");
  await publisher.publish();
  await endOf(threads);
  expect(shown()).toEqual(before);
  const { id } = ctx.store.operators.byCodename('ada') ?? {};
  expect(warnings).toEqual([['operators_differ', { operators: String(id) }]]);
  expect(differences).toBe(1);

  await publisher.publish();
  await endOf(threads);
  expect(shown()).not.toEqual(before);
  expect([warnings.length, differences]).toEqual([1, 1]);
});

/** A thread that says that it is idle just when it receives a request. */
const HASTY = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads';
    const answer = { data: null, earlier: [], isClean: true, failures: [], sought: [] };
    parentPort.on('message', () => {
      parentPort.postMessage({ idle: { shown: 'x', last: null, tip: null, sought: [] } });
      parentPort.postMessage(answer);
    });
  `)}`,
);

test('a thread is not ended while it answers', async () => {
  const ctx = testContext();
  const threads = startedThreads();
  const options = { workerUrl: HASTY, worker: workerOf(ctx), logger: ctx.logger };
  const thread = new ProjectingThread(options);
  const request = { nowMs: 0, isClockSure: true, isForced: false, toForget: null };

  await thread.ask(request);
  await thread.ask(request);

  expect(threads).toHaveLength(1);
  await thread.close();
  await expect(thread.ask(request)).rejects.toThrow('closed');
});
