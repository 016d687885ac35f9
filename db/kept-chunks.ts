import { zstdCompressSync, zstdDecompressSync } from './threads/compression.ts';
import type { Database } from 'better-sqlite3';
import type { BoardSlice } from '#core/domain/board/board.ts';
import { readDailyStanding } from '#core/domain/board/daily-standing.ts';
import {
  CHUNK_OPERATORS,
  chunkOf,
  chunksOf,
  chunkWithout,
  DayChunk,
  type PackedChunk,
} from '#core/domain/board/day-chunk.ts';
import { writeTransaction } from './engine/write-lock.ts';
import { statementsIn } from './statements.ts';

interface ChunkKey {
  day: string;
  tool: string;
  trust: BoardSlice['trust'];
  chunk: number;
}

interface PlacesRow {
  members: Uint8Array;
  body: Uint8Array;
}

export type StandingRow = { operator_id: number; body: Uint8Array };

/**
 * The chunks of stored days. Those of days that an earlier version stored may still have its form, with a row for
 * each operator.
 */
export function keptChunksIn(db: Database) {
  const sql = statementsIn(db);
  const written = writtenIn(db);
  const places = sql.get<(of: object) => PlacesRow | undefined>(`
    SELECT members, body FROM day_places
    WHERE day = @day AND tool = @tool AND trust = @trust AND chunk = @chunk`);
  const values = sql.value<(of: object) => Uint8Array | undefined>(`
    SELECT body FROM day_values v
    WHERE day = @day AND tool = @tool AND trust = @trust AND chunk = @chunk
      AND NOT EXISTS (SELECT 1 FROM daily_publications p WHERE p.day = v.day AND p.thinned = 1)`);
  const standings = sql.all<(of: object) => StandingRow[]>(`
    SELECT operator_id, body FROM daily_standings
    WHERE day = @day AND tool = @tool AND trust = @trust
      AND operator_id BETWEEN @chunk * ${CHUNK_OPERATORS}
        AND @chunk * ${CHUNK_OPERATORS} + ${CHUNK_OPERATORS - 1}
    ORDER BY operator_id`);
  const chunks = sql.values<(of: object) => number[]>(`
    SELECT chunk FROM day_places WHERE day = @day AND tool = @tool AND trust = @trust
    UNION SELECT operator_id / ${CHUNK_OPERATORS} FROM daily_standings
    WHERE day = @day AND tool = @tool AND trust = @trust ORDER BY 1`);

  return {
    ...written,
    /** The numbers of a slice's chunks, in ascending order. */
    chunks: (day: string, slice: BoardSlice) => chunks({ day, ...columnsOf(slice) }),
    /** A chunk; null if it has no operators. Without `withValues`, its values are not read. */
    chunk(day: string, slice: BoardSlice, chunk: number, withValues = true): DayChunk | null {
      const key = { day, ...columnsOf(slice), chunk };
      const row = places(key);
      if (!row) return oldChunk(standings(key));
      const body = withValues ? values(key) : undefined;
      return new DayChunk({
        chunk,
        members: row.members,
        places: zstdDecompressSync(row.body),
        values: body ? zstdDecompressSync(body) : null,
      });
    },
  };
}

function oldChunk(rows: readonly StandingRow[]): DayChunk | null {
  const packed = packStandings(rows);
  return packed && new DayChunk(packed);
}

/** Packs rows of the old form that belong to one chunk; null if there are none. */
export function packStandings(rows: readonly StandingRow[]): PackedChunk | null {
  const all = rows.map(({ operator_id, body }) => readDailyStanding(operator_id, body));
  return chunksOf(all).next().value ?? null;
}

/** Chunks that are removed from in one step. A chunk with values takes 2 ms. */
const STEP_CHUNKS = 8;

function writtenIn(db: Database) {
  const sql = statementsIn(db);
  const open = sql.values<(first: number, last: number) => number[]>(`
    SELECT id FROM operators WHERE id BETWEEN @first AND @last AND erasing_at IS NULL`);
  const insertPlaces = sql.run<(of: object) => void>(`
    INSERT INTO day_places (day, tool, trust, chunk, members, body)
    VALUES (@day, @tool, @trust, @chunk, @members, @body)`);
  const insertValues = sql.run<(of: object) => void>(`
    INSERT INTO day_values (day, tool, trust, chunk, body)
    VALUES (@day, @tool, @trust, @chunk, @body)`);
  const chunksWith = sql.all<(of: object) => (ChunkKey & PlacesRow & { id: number })[]>(`
    SELECT rowid AS id, day, tool, trust, chunk, members, body FROM day_places
    WHERE chunk = @chunk AND instr(members, @low) > 0 LIMIT ${STEP_CHUNKS}`);
  const total = sql.value<(of: object) => number>(`
    SELECT count(*) FROM day_places WHERE chunk = @chunk AND instr(members, @low) > 0`);
  const valuesOf = sql.get<(of: object) => { id: number; body: Uint8Array } | undefined>(`
    SELECT rowid AS id, body FROM day_values
    WHERE day = @day AND tool = @tool AND trust = @trust AND chunk = @chunk`);
  const remove = sql.run<(id: number) => void>('DELETE FROM day_places WHERE rowid = ?');
  const replacePlaces = sql.run<(of: object) => void>(`
    UPDATE day_places SET members = @members, body = @body WHERE rowid = @id`);
  const replaceValues = sql.run<(of: object) => void>(`
    UPDATE day_values SET body = @body WHERE rowid = @id`);

  /** Removes an operator from a chunk. */
  function removeFrom(row: ChunkKey & PlacesRow & { id: number }, operator_id: number) {
    const values = valuesOf(row);
    const packed = {
      chunk: row.chunk,
      members: row.members,
      places: zstdDecompressSync(row.body),
      values: values ? zstdDecompressSync(values.body) : null,
    };
    const left = chunkWithout(packed, (id) => id === operator_id);
    if (!left) return remove(row.id);
    const { members, places } = left;
    replacePlaces({ id: row.id, members, body: zstdCompressSync(places) });
    if (values && left.values) {
      replaceValues({ id: values.id, body: zstdCompressSync(left.values) });
    }
  }

  return {
    /**
     * Stores a chunk, without operators whose accounts are deleted. It is compressed before the transaction begins, so
     * that other writers wait less.
     */
    add(day: string, slice: BoardSlice, packed: PackedChunk) {
      const first = packed.chunk * CHUNK_OPERATORS;
      let rows = compressed(packed);
      writeTransaction(db, () => {
        const there = new Set(open(first, first + CHUNK_OPERATORS - 1));
        const left = chunkWithout(packed, (id) => !there.has(id));
        if (!left) return;
        if (left !== packed) rows = compressed(left);
        const key = { day, ...columnsOf(slice), chunk: packed.chunk };
        insertPlaces({ ...key, members: left.members, body: rows.places });
        if (rows.values) insertValues({ ...key, body: rows.values });
      });
    },
    /** How many chunks contain an operator. */
    chunksWith: (operator_id: number) => total(memberOf(operator_id)),
    /** Removes an operator from the next chunks that contain it. Returns false if there are none. */
    removeNext(operator_id: number): boolean {
      const rows = chunksWith(memberOf(operator_id));
      for (const row of rows) removeFrom(row, operator_id);
      return rows.length > 0;
    },
  };
}

function compressed({ places, values }: PackedChunk) {
  return { places: zstdCompressSync(places), values: values && zstdCompressSync(values) };
}

/** A slice as columns of a table. */
export function columnsOf({ tool, trust }: BoardSlice) {
  return { tool: tool ?? '', trust };
}

/** An operator's chunk, and the byte that stands for the operator in it. */
export function memberOf(operator_id: number) {
  return { chunk: chunkOf(operator_id), low: Buffer.of(operator_id % CHUNK_OPERATORS) };
}
