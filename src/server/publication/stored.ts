/** Publications as the store keeps them: shared columns and boards, each a section of its own. */
import { deserialize, serialize } from 'node:v8';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Store } from '#db/store.ts';
import type { BoardSlice } from '#core/domain/board.ts';
import { slicesOf } from '#core/domain/slices.ts';
import { WINDOWS } from '#core/domain/window.ts';
import {
  type BoardColumns,
  type PublicationData,
  type PublicationHead,
  type SharedColumns,
  boardKey,
} from './columns.ts';
import type { ProjectedBoards } from './projected-boards.ts';

/** Fast rather than small: what is stored is read back at most once, after a restart. */
const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
const SHARED = 'shared';

type Readable = Pick<Store, 'publications'>;

/** Stores a publication board by board and returns it; it is public to later starts from then on. */
export function storePublication(
  store: Store,
  boards: ProjectedBoards,
  head: Omit<PublicationHead, 'id'>,
): PublicationData {
  const id = store.publications.begin(head);
  const add = (section: string, value: unknown) =>
    store.publications.addSection(id, section, packSection(value));
  const { shared } = boards;
  add(SHARED, shared);
  const columns = boards.slices.flatMap((slice) =>
    WINDOWS.map((window) => {
      const board = boards.board(slice, window);
      add(boardKey(board), board);
      return board;
    }),
  );
  store.publications.complete(id);
  return { head: { id, ...head }, shared, boards: columns };
}

/** The stored publications, newest first; one that cannot be read any more is left out. */
export function restore(store: Store): PublicationData[] {
  return store.publications.kept().flatMap((head) => {
    try {
      const shared = readShared(store, head.id);
      const boards = slicesOf(shared).flatMap((slice) => readSlice(store, head.id, slice));
      return [{ head, shared, boards }];
    } catch {
      return [];
    }
  });
}

export function readShared(store: Readable, id: number): SharedColumns {
  return read(store, id, SHARED) as SharedColumns;
}

/** The boards of a slice, one a window. */
export function readSlice(store: Readable, id: number, slice: BoardSlice): BoardColumns[] {
  return WINDOWS.map((window) => read(store, id, boardKey({ window, slice })) as BoardColumns);
}

export function packSection(value: unknown): Uint8Array {
  return zstdCompressSync(serialize(value), COMPRESSION);
}

function read(store: Readable, id: number, section: string): unknown {
  return deserialize(zstdDecompressSync(store.publications.section(id, section)));
}

/** What is read of a stored publication; null where it cannot be. */
export function readOrNull<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch {
    return null;
  }
}
