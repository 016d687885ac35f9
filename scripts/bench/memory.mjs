// Shows what each memory setting does to the server's anonymous memory: at start, after publications, and idle.
//   node scripts/bench/memory.mjs [--operators 1000] [--publications 10] [--idle 35]
import { cpSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ALLOCATOR, SMALL_YOUNG_GENERATION } from '#server/process/memory-settings.ts';
import { median, readOptions, report, round, startBoard, withFolder } from './lib.mjs';
import { memoryOf } from './process-stats.mjs';
import {
  bucketsOf,
  openContext,
  operatorOf,
  seedBoard,
  submitDays,
  takeAsChecked,
} from './seed.mjs';

const options = readOptions({ operators: 1000, publications: 10, idle: 35 });
const DAYS = 90;
const OFF = { MALLOC_ARENA_MAX: undefined, MALLOC_MMAP_THRESHOLD_: undefined };
const { MALLOC_ARENA_MAX } = ALLOCATOR;

/** Each adds one setting to those above it. */
const VARIANTS = {
  'no setting': { env: OFF, memory: [] },
  'one heap': { env: { ...OFF, MALLOC_ARENA_MAX }, memory: [] },
  'large blocks outside it': { env: ALLOCATOR, memory: [] },
  'small young generation': { env: ALLOCATOR, memory: [SMALL_YOUNG_GENERATION] },
};

await withFolder(async (folder) => {
  const seeded = join(folder, 'seeded');
  const ctx = openContext(seeded);
  seedBoard(ctx, { operators: options.operators, days: DAYS });
  takeAsChecked(ctx);
  ctx.store.close();
  const rows = [];
  for (const [setting, variant] of Object.entries(VARIANTS)) {
    const dataDir = join(folder, setting.replaceAll(' ', '-'));
    cpSync(seeded, dataDir, { recursive: true });
    rows.push({ setting, ...(await measured(dataDir, variant)) });
  }
  report(options, `Anonymous memory in MB, ${options.operators} operators, ${DAYS} days`, rows);
});

async function measured(dataDir, variant) {
  const ctx = openContext(dataDir);
  const board = await startBoard({ dataDir, refreshSeconds: 1.5, isQuiet: true, ...variant });
  await board.url;
  const anonymous = () => round(memoryOf(board.pid).anonymousMb);
  const start = anonymous();
  const times = [];
  for (let turn = 0; turn < options.publications; turn += 1) {
    const published = publication(board.events);
    change(ctx, turn);
    const { projected_ms, rendered_ms } = await published;
    times.push(projected_ms + rendered_ms);
    await pause(300);
  }
  const after = anonymous();
  await pause(options.idle * 1000);
  const idle = anonymous();
  await board.stop();
  ctx.store.close();
  return { start, after, idle, 'publication, ms': round(median(times)) };
}

async function publication(events) {
  for (;;) {
    const [event] = await once(events, 'event');
    if (event.event === 'published') return event;
  }
}

/** One operator in a hundred submits; an empty board gets a log entry. */
function change(ctx, turn) {
  ctx.store.transaction(() => {
    if (options.operators === 0) {
      const payload = { turn };
      ctx.store.log.append({ kind: 'enroll', operator_id: null, payload, now: new Date() });
    }
    for (let number = turn % 100; number < options.operators; number += 100) {
      const buckets = bucketsOf(number, DAYS, 1 + (turn + 1) / 100).slice(-3);
      submitDays(ctx, operatorOf(ctx, number), buckets);
    }
  });
}
