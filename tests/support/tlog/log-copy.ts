/** Copies of a board's published log, as others have them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { TILE_WIDTH, payloadPath, tilePath, tileWidth } from '#core/domain/tlog/tile.ts';
import { payloadLines, readTile } from '#server/public-log/tiles.ts';
import { aDataDir, type TestContext } from '../board/context.ts';
import { checkpointsOf } from './board-checkpoints.ts';

/** A folder with the paths of the standard: the current checkpoint and all bundles. */
export function aLogCopy(ctx: TestContext): string {
  const checkpoints = checkpointsOf(ctx);
  checkpoints.advance();
  const { note = '', size = 0 } = checkpoints.shown ?? {};
  const folder = aDataDir();
  writeFileSync(join(folder, 'checkpoint'), note);
  for (let number = 0; number * TILE_WIDTH < size; number += 1) {
    const width = tileWidth({ level: 'entries', number }, size);
    const path = tilePath({ level: 'entries', number, width });
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), readTile(ctx, path));
  }
  return folder;
}

/** The same with the payloads that the board shows. */
export function aWholeLogCopy(ctx: TestContext): string {
  const folder = aLogCopy(ctx);
  const size = ctx.store.tiles.size();
  for (let number = 0; number * TILE_WIDTH < size; number += 1) {
    const path = payloadPath(number);
    const lines = payloadLines(ctx, path.slice('payload/'.length), size);
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), [...lines].join(''));
  }
  return folder;
}
