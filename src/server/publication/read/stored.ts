/** Stores publications: the shared columns and each board are separate sections. */
import { createHash } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Store } from '#db/store.ts';
import type { BoardSlice } from '#core/domain/board/board.ts';
import { slicesOf } from '#core/domain/board/slices.ts';
import { WINDOWS } from '#core/domain/metrics/window.ts';
import {
  type BoardColumns,
  type PublicationData,
  type PublicationHead,
  SHARED_SECTION,
  type SharedColumns,
  boardKey,
} from './columns.ts';
import type { ProjectedBoards } from '../project/projected-boards.ts';

/** Fast rather than small, because stored data is read at most once, after a restart. */
const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

type Readable = Pick<Store, 'publications'>;

/** Stores a publication board by board and returns it. From then on, later starts use it. */
export function storePublication(
  store: Store,
  boards: ProjectedBoards,
  head: Omit<PublicationHead, 'id'>,
): PublicationData {
  const id = store.publications.begin(head);
  const { shared } = boards;
  const versions = new SectionVersions(shared);
  const add = (section: string, value: unknown) => {
    const packed = packSection(value);
    versions.add(section, packed);
    store.publications.addSection(id, section, packed);
  };
  add(SHARED_SECTION, shared);
  const columns = boards.slices.flatMap((slice) =>
    WINDOWS.map((window) => {
      const board = boards.board(slice, window);
      add(boardKey(board), board);
      return board;
    }),
  );
  store.publications.complete(id);
  return { head: { id, ...head }, shared, boards: columns, versions: versions.all };
}

/** @throws {Error} if it cannot be read. */
export function readPublication(store: Readable, head: PublicationHead): PublicationData {
  const shared = readShared(store, head.id);
  const boards = slicesOf(shared).flatMap((slice) => readSlice(store, head.id, slice));
  const versions = new SectionVersions(shared);
  for (const section of [SHARED_SECTION, ...boards.map(boardKey)]) {
    versions.add(section, store.publications.section(head.id, section));
  }
  return { head, shared, boards, versions: versions.all };
}

export function readShared(store: Readable, id: number): SharedColumns {
  return read(store, id, SHARED_SECTION) as SharedColumns;
}

export function readSlice(store: Readable, id: number, slice: BoardSlice): BoardColumns[] {
  return WINDOWS.map((window) => read(store, id, boardKey({ window, slice })) as BoardColumns);
}

/** Derives numbers from the content of a publication's sections. Equal boards of equal operators have equal numbers. */
class SectionVersions {
  readonly all = new Map<string, number>();
  readonly #operators: Uint8Array;

  constructor({ operators }: SharedColumns) {
    this.#operators = sha256(serialize(operators));
  }

  add(section: string, packed: Uint8Array): void {
    const digest = sha256(this.#operators, packed);
    // Cursors have room for 15 digits, and 0 stands for boards of past days.
    this.all.set(section, digest.readUIntBE(0, 6) || 1);
  }
}

function sha256(...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

export function packSection(value: unknown): Uint8Array {
  return zstdCompressSync(serialize(value), COMPRESSION);
}

function read(store: Readable, id: number, section: string): unknown {
  return deserialize(zstdDecompressSync(store.publications.section(id, section)));
}

/** Reads from a stored publication; null if it cannot be read. */
export function readOrNull<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch {
    return null;
  }
}
