/** A board with a long log, and a mirror of it. */
import { BoardClient } from '#server/mirror/board-client.ts';
import { MirrorFolder } from '#server/mirror/folder.ts';
import { Mirror } from '#server/mirror/mirror.ts';
import { readPin } from '#server/mirror/state.ts';
import { bucketsOfDays } from '../board/builders.ts';
import { type TestContext, aDataDir, publishAndKeep, testContext } from '../board/context.ts';
import { aSubmitter } from '../board/small-board.ts';
import { type LyingBoard, aLyingBoard } from './lying-board.ts';

/** Adds entries that concern nobody. */
export function grow({ store, now, ruleset }: TestContext, entries: number): void {
  for (let added = 0; added < entries; added += 1) {
    store.transaction(() => {
      store.log.append({ kind: 'ruleset', operator_id: null, payload: ruleset, now: now() });
    });
  }
}

/** A board with two operators and a log of more than 256 entries. */
export async function aLongBoard(): Promise<{ ctx: TestContext; board: LyingBoard }> {
  const ctx = testContext();
  await aSubmitter(ctx, 'ada', bucketsOfDays(9, '2026-02-25'));
  await aSubmitter(ctx, 'bob', bucketsOfDays(9, '2026-02-25', { output: 20_000 }));
  grow(ctx, 290);
  publishAndKeep(ctx);
  return { ctx, board: await aLyingBoard(ctx) };
}

export interface Scene {
  folder: string;
  clock: { ms: number };
  open: () => Promise<Mirror>;
}

/** A folder to mirror a board into. Each `open` is a new start of the program. */
export function aMirrorOf(board: LyingBoard): Scene {
  const path = aDataDir();
  const clock = { ms: Date.parse('2026-03-10T12:00:00Z') };
  const open = async () => {
    const folder = new MirrorFolder(path);
    folder.prepare();
    const client = new BoardClient(board.url, new AbortController().signal, async () => undefined);
    const options = { folder, client, pin: readPin(folder), now: () => new Date(clock.ms) };
    const mirror = new Mirror(options);
    await mirror.open();
    return mirror;
  };
  return { folder: path, clock, open };
}

/** What failed, with the files. */
export function wrongIn({ report }: Mirror): string[] {
  return report.checks
    .filter(({ ok }) => ok === false)
    .flatMap(({ name, findings }) =>
      findings.map(({ file, message }) => `${name}: /${file} ${message}`),
    );
}

export async function passOf(open: Scene['open']): Promise<string[]> {
  const mirror = await open();
  await mirror.pass();
  return wrongIn(mirror);
}
