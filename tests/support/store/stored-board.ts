/** A board and the object store to which its uploader copies it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdDecompressSync } from '#db/threads/compression.ts';
import { keysOf, readIndex } from '#server/facts/facts-index.ts';
import { bundleName, newBundles } from '#server/object-store/log-objects.ts';
import { payloadLines } from '#server/public-log/tiles.ts';
import { expect } from 'vitest';
import { bucketsOfDays } from '../board/builders.ts';
import { readCurrent, type Current } from '#server/object-store/current.ts';
import { readableFrom, unpackPublication } from '#server/object-store/publication-object.ts';
import { Uploader } from '#server/object-store/uploader.ts';
import type { FencedError } from '#server/object-store/writer-claim.ts';
import { siteVersionOf } from '#server/publication/site-version.ts';
import { readPublications } from '#server/publication/stored/stored-publications.ts';
import type { Checkpoints } from '#server/public-log/checkpoints.ts';
import { whenOver } from '../board/cleanup.ts';
import {
  type TestContext,
  anEnrolledDevice,
  publishAndKeep,
  submit,
  testContext,
} from '../board/context.ts';
import { checkpointsOf } from '../tlog/board-checkpoints.ts';
import { type S3, startS3 } from './s3-server.ts';

export interface StoredBoard {
  s3: S3;
  ctx: TestContext;
  uploader: Uploader;
  fenced: FencedError[];
  /** Publishes, and returns the number of the publication. */
  publish(): number;
  /** Publishes something that hides, as the server does. */
  publishHiding(): number;
  /** Uploads what is new. */
  upload(): Promise<void>;
  current(): Promise<Current>;
  /** Another process on the same data folder, after this one was killed. */
  restart(): Uploader;
}

/** Cleaned up after the test. */
export async function aStoredBoard(
  ctx: TestContext = testContext(),
  options: { conditional?: boolean; s3?: S3; followMs?: number } = {},
): Promise<StoredBoard> {
  const s3 = options.s3 ?? (await startS3(options));
  const checkpoints: Checkpoints = checkpointsOf(ctx);
  ctx.checkpoints = checkpoints;
  const fenced: FencedError[] = [];
  const assets = mkdtempSync(join(tmpdir(), 'opbench-assets-'));
  writeFileSync(join(assets, 'page.abc.css'), 'body {}');
  const publish = () => {
    const { id } = publishAndKeep(ctx);
    checkpoints.advance();
    return id;
  };
  const publishHiding = () => {
    const id = publish();
    ctx.store.publications.forgetBefore(id);
    return id;
  };
  const start = () => {
    const uploader = new Uploader({
      ctx,
      store: s3.store,
      assets,
      siteVersion: () => siteVersionOf(ctx),
      publishAbove: async (id) => {
        ctx.store.publications.skipTo(id);
        publishHiding();
      },
      onFenced: (error) => void fenced.push(error),
      followMs: options.followMs ?? 0,
    });
    uploader.start();
    whenOver(() => uploader.stop());
    return uploader;
  };
  const uploader = start();
  whenOver(() => {
    rmSync(assets, { recursive: true });
    if (!options.s3) void s3.stop();
  });
  const board = {
    s3,
    ctx,
    uploader,
    fenced,
    publish,
    publishHiding,
    upload: async () => {
      board.uploader.wake();
      await board.uploader.settled();
    },
    current: () => currentIn(s3),
    restart: () => {
      board.uploader.stop();
      board.uploader = start();
      return board.uploader;
    },
  };
  return board;
}

export async function currentIn({ store }: Pick<S3, 'store'>): Promise<Current> {
  const found = await readCurrent(store);
  if (found === null) throw new Error('There is no current');
  return found.value;
}

/** What a reader reads of the store; throws if something that `current` names is missing. */
export async function readBack(s3: Pick<S3, 'store'>) {
  const { chain, kept } = await currentIn(s3);
  const objects = await Promise.all(
    chain.map(async (id) => {
      const found = await s3.store.get(`publications/${id}`);
      if (found === null) throw new Error(`${id} is missing`);
      return unpackPublication(found.bytes);
    }),
  );
  return readPublications(readableFrom(objects, kept), kept);
}

export async function aBoardWith(...names: string[]) {
  const ctx = testContext();
  for (const name of names) {
    await submit(ctx, await anEnrolledDevice(ctx, name), bucketsOfDays(9, '2026-02-20'));
  }
  return ctx;
}

/** Everything that `current` names is there, and nothing else of these kinds is. */
export async function expectComplete({ s3, current }: StoredBoard): Promise<void> {
  const { chain, facts } = await current();
  const publications = chain.map((id) => `publications/${id}`).toSorted();
  expect(await s3.keys('publications/')).toEqual(publications);
  const found = await s3.store.get(facts ?? '');
  if (facts === null || found === null) throw new Error('No index');
  const keys = [facts, ...keysOf(readIndex(facts, found.bytes))];
  expect(await s3.keys('facts/')).toEqual([...new Set(keys)].toSorted());
}

export async function objectOf({ s3 }: StoredBoard, key: string): Promise<Buffer> {
  const found = await s3.store.get(key);
  if (found === null) throw new Error(`${key} is missing`);
  return found.bytes;
}

export async function payloadsIn(board: StoredBoard): Promise<string[]> {
  const keys = await board.s3.keys('log/payload/');
  return Promise.all(keys.map(async (key) => (await objectOf(board, key)).toString()));
}

export function payloadsOf(ctx: TestContext): string[] {
  const size = ctx.checkpoints.shown?.size ?? 0;
  return newBundles(0, size).map((number) =>
    [...payloadLines(ctx, bundleName(number), size)].join(''),
  );
}

/** All objects as text, decompressed. */
export async function textsIn(board: StoredBoard): Promise<string> {
  const keys = await board.s3.keys();
  const all = await Promise.all(keys.map((key) => objectOf(board, key)));
  return all.map((bytes) => textOf(bytes)).join('\n');
}

function textOf(bytes: Buffer): string {
  try {
    return zstdDecompressSync(bytes).toString('latin1');
  } catch {
    return bytes.toString('latin1');
  }
}
