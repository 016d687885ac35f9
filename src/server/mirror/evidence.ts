/** Keeps what proves that a board published two histories. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { hex } from '#core/domain/log/log-entry.ts';
import { edgeTiles } from '#core/domain/tlog/tile.ts';
import type { MirrorFolder } from './folder.ts';
import { type TreeFiles, fileOf } from './tree-files.ts';
import type { SignedHead } from './trusted-checkpoint.ts';

/** The most histories that are kept, because a board can make up any number. */
const MAX_KEPT = 10;

/**
 * Keeps a signed checkpoint that contradicts the mirror's own, and the tiles that lead to it. Both checkpoints have the
 * signature of the same key, so anyone can check it.
 *
 * @returns Where it is, below the mirror's folder.
 */
export function keepEvidence(
  folder: MirrorFolder,
  { trusted, other, files }: { trusted: SignedHead; other: SignedHead; files: TreeFiles | null },
): string {
  const name = `evidence/${other.size}-${hex(other.root).slice(0, 16)}`;
  if (folder.read(`${name}/checkpoint`) || kept(folder) >= MAX_KEPT) return 'evidence';
  folder.write(`${name}/earlier-checkpoint`, trusted.note);
  for (const { level, number } of edgeTiles(other.size)) {
    const tile = files?.edge()?.get(level);
    if (tile) folder.write(`${name}/${fileOf({ level, number })}`, tile);
  }
  for (const [file, bytes] of files?.unwritten ?? []) folder.write(`${name}/${file}`, bytes);
  folder.write(`${name}/checkpoint`, other.note);
  folder.sync();
  return name;
}

function kept(folder: MirrorFolder): number {
  try {
    return readdirSync(join(folder.path, 'evidence')).length;
  } catch {
    return 0;
  }
}
