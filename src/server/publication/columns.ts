/**
 * A window's boards in columns: what the projecting thread hands over without copying, and what the
 * store keeps. Operators are named by their position in codename order.
 */
import type { WindowName } from '#core/schema/board.ts';
import type { MetricName } from '#core/schema/record.ts';
import type { Basis } from '#core/domain/standing.ts';

/** JSON texts end to end; text `i` is `bytes[offsets[i]]` to `bytes[offsets[i + 1]]`. */
export interface JsonColumn {
  bytes: Uint8Array<ArrayBuffer>;
  offsets: Uint32Array<ArrayBuffer>;
}

export interface BoardColumns {
  /** Positions of the ranked, best first, and the rank of each. */
  ranked: Uint32Array<ArrayBuffer>;
  ranks: Uint32Array<ArrayBuffer>;
  /** Positions of the unranked, and the reasons of each. */
  unranked: Uint32Array<ArrayBuffer>;
  reasons: JsonColumn;
}

export interface WindowColumns {
  window: WindowName;
  summaries: JsonColumn;
  /** NaN stands for null. */
  coverage: Record<Basis, Float64Array<ArrayBuffer>>;
  active_days: Record<Basis, Uint32Array<ArrayBuffer>>;
  boards: Record<MetricName, BoardColumns>;
}

/** What a publication was computed from. */
export interface PublicationHead {
  id: number;
  log_index: number;
  as_of: string;
  ruleset: string;
  generated_at: string;
}

export interface PublicationData {
  head: PublicationHead;
  windows: WindowColumns[];
}

export function jsonColumn(values: readonly unknown[]): JsonColumn {
  const texts = values.map((value) => Buffer.from(JSON.stringify(value)));
  const offsets = new Uint32Array(texts.length + 1);
  texts.forEach((text, index) => {
    offsets[index + 1] = (offsets[index] ?? 0) + text.length;
  });
  const bytes = new Uint8Array(offsets.at(-1) ?? 0);
  texts.forEach((text, index) => bytes.set(text, offsets[index]));
  return { bytes, offsets };
}

export function jsonAt({ bytes, offsets }: JsonColumn, index: number): unknown {
  const text = bytes.subarray(offsets[index], offsets[index + 1]);
  return JSON.parse(Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString('utf8'));
}

/** The buffers of a window's columns, to be transferred. */
export function buffersOf(columns: WindowColumns): ArrayBuffer[] {
  const boards = Object.values(columns.boards).flatMap((board) => [
    board.ranked.buffer,
    board.ranks.buffer,
    board.unranked.buffer,
    board.reasons.bytes.buffer,
    board.reasons.offsets.buffer,
  ]);
  return [
    columns.summaries.bytes.buffer,
    columns.summaries.offsets.buffer,
    ...Object.values(columns.coverage).map((column) => column.buffer),
    ...Object.values(columns.active_days).map((column) => column.buffer),
    ...boards,
  ];
}
