import { closeSync, openSync, writeSync } from 'node:fs';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { zstdCompressSync } from '#db/threads/compression.ts';
import { yieldToEventLoop } from '../process/yield-to-event-loop.ts';
import { writeShownFile } from '../public-log/write.ts';
import {
  type DailyCountsHead,
  type DailyCountsSource,
  RowGroup,
  SCHEMA,
  headOf,
  metadataOf,
  rowsOf,
} from './daily-counts.ts';

/** Rows that are in memory at once. Encoding them takes a tenth of a second. */
const ROW_GROUP = 32_768;

export interface ParquetTarget {
  path: string;
  /** The path of the temporary file. */
  draft: string;
  /** Whether an existing file is replaced. */
  over: boolean;
  /** Rows of a row group, by default {@linkcode ROW_GROUP}. */
  rowGroup?: number;
}

export interface WrittenParquet extends DailyCountsHead {
  rows: number;
}

/**
 * Writes the daily counts of open operators to a temporary file and renames it when complete.
 *
 * @throws {BackupError} `taken` if the file exists.
 * @throws {DomainError} `service_unavailable` if an operator's visibility changed during each attempt.
 */
export function writeParquet(
  source: DailyCountsSource,
  { rowGroup = ROW_GROUP, ...target }: ParquetTarget,
): Promise<WrittenParquet> {
  const write = () => fill(source, target.draft, rowGroup);
  return writeShownFile(source.store, { ...target, write });
}

async function fill(
  source: DailyCountsSource,
  draft: string,
  rowGroup: number,
): Promise<WrittenParquet> {
  const head = headOf(source);
  const file = openSync(draft, 'wx', 0o600);
  try {
    const parquet = new ParquetWriter({
      writer: writerTo(file),
      schema: SCHEMA,
      codec: 'ZSTD',
      compressors: { ZSTD: (bytes) => zstdCompressSync(bytes) },
      kvMetadata: metadataOf(source, head),
      createdBy: 'opbench-board',
    });
    const rows = await writeRows(parquet, rowsOf(source), rowGroup);
    await parquet.finish();
    return { ...head, rows };
  } finally {
    closeSync(file);
  }
}

/** Writes row groups, and yields to the event loop after each. Returns the number of rows. */
async function writeRows(
  parquet: ParquetWriter,
  rows: ReturnType<typeof rowsOf>,
  rowGroup: number,
): Promise<number> {
  let written = 0;
  let group = new RowGroup();
  const flush = async () => {
    await parquet.write({ columnData: group.columns, rowGroupSize: rowGroup });
    written += group.rows;
    group = new RowGroup();
    await yieldToEventLoop();
  };
  for (const row of rows) {
    group.add(row);
    if (group.rows === rowGroup) await flush();
  }
  if (group.rows > 0) await flush();
  return written;
}

/** Collects bytes in memory and appends them to a file after each row group. */
function writerTo(file: number): ByteWriter {
  const writer = new ByteWriter();
  const flush = () => {
    for (let rest = writer.getBytes(); rest.length > 0;) {
      rest = rest.subarray(writeSync(file, rest));
    }
    writer.index = 0;
  };
  return Object.assign(writer, { flush, finish: flush });
}
