// Measures what the writer uploads to an object store: with the first publication, and with those after 1% of the
// operators submitted their last three days again.
//   --operators 1000,10000   the sizes
//   --days 30                the history of each operator
//   --publications 4         how many publications follow the first
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openLogKey } from '#server/identity/log-key.ts';
import { S3Store } from '#server/object-store/s3-store.ts';
import { Uploader } from '#server/object-store/uploader.ts';
import { Checkpoints } from '#server/public-log/checkpoints.ts';
import { Projection } from '#server/publication/projection.ts';
import { publish } from '#server/publication/publish.ts';
import { storePublication } from '#server/publication/stored/stored-publications.ts';
import { startS3 } from '#tests/support/store/s3-server.ts';
import { median, readOptions, report, round, withFolder } from './lib.mjs';
import {
  bucketsOf,
  openContext,
  operatorOf,
  seedBoard,
  submitDays,
  takeAsChecked,
} from './seed.mjs';

const SHARE = 0.01;
/** Parts of the store, by the beginning of their keys. */
const PARTS = ['publications/', 'facts/', 'log/', 'assets/', 'current'];

const options = readOptions({ operators: '1000,10000', days: 30, publications: 4 });
const rows = [];
for (const operators of options.operators.split(',').map(Number)) {
  await withFolder((folder) => measure(folder, operators));
}
report(options, 'upload to an object store, KB', rows);

async function measure(folder, operators) {
  const ctx = openContext(join(folder, 'board'));
  seedBoard(ctx, { operators, days: options.days });
  takeAsChecked(ctx);
  const s3 = await startS3();
  const { publishNext, uploader } = connect(ctx, s3);
  const first = await upload();
  const following = [];
  for (let turn = 0; turn < options.publications; turn += 1) {
    change(ctx, operators, turn);
    following.push(await upload());
  }
  rows.push({ operators, publication: 'first', ...first });
  const names = Object.keys(first);
  const medians = names.map((name) => [name, median(following.map((each) => each[name]))]);
  rows.push({ operators, publication: '1% changed', ...Object.fromEntries(medians) });
  uploader.stop();
  await s3.stop();
  ctx.store.close();

  async function upload() {
    publishNext();
    s3.requests.length = 0;
    const held = monitorEventLoopDelay({ resolution: 5 });
    held.enable();
    const startedMs = performance.now();
    uploader.wake();
    await uploader.settled();
    const seconds = (performance.now() - startedMs) / 1000;
    held.disable();
    if (uploader.status.state !== 'ok') throw new Error('The upload failed');
    return { ...sizesOf(s3.requests), s: round(seconds, 2), 'held, ms': round(held.max / 1e6) };
  }
}

function connect(ctx, s3) {
  const { store, config, boardKey, logger } = ctx;
  const key = openLogKey(store, { baseUrl: config.baseUrl, boardKey, now: ctx.now() });
  const checkpoints = new Checkpoints({ store, key, config, logger });
  Object.assign(ctx, { checkpoints, release: { version: 'bench' } });
  const projection = new Projection(ctx.ruleset);
  let tip = null;
  const uploader = new Uploader({
    ctx,
    store: new S3Store(s3.config),
    assets: fileURLToPath(new URL('../../dist/client/_astro', import.meta.url)),
    siteVersion: () => '',
    publishAbove: () => Promise.reject(new Error('Nobody else writes')),
    onFenced: (error) => {
      throw error;
    },
  });
  const publishNext = () => {
    const { head } = publish(store, projection, Date.now());
    tip = storePublication(store, head.id, projection.projected, tip);
    checkpoints.advance();
  };
  uploader.start();
  return { publishNext, uploader };
}

function change(ctx, operators, turn) {
  const step = Math.round(1 / SHARE);
  for (let number = turn % step; number < operators; number += step) {
    const buckets = bucketsOf(number, options.days, 1 + (turn + 1) / 100).slice(-3);
    ctx.store.transaction(() => submitDays(ctx, operatorOf(ctx, number), buckets));
  }
}

function sizesOf(requests) {
  const written = requests.filter(({ method }) => method === 'PUT');
  const sums = PARTS.map((part) => {
    const sizes = written.filter(({ key }) => key.startsWith(part)).map(({ size }) => size);
    return [part, round(sizes.reduce((sum, size) => sum + size, 0) / 1000, 1)];
  });
  const total = written.reduce((sum, { size }) => sum + size, 0) / 1000;
  return { ...Object.fromEntries(sums), all: round(total, 1), objects: written.length };
}
