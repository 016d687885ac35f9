/** Finds texts in everything that a board stores on disk. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { constants, gunzipSync, zstdDecompressSync } from 'node:zlib';
import Database from 'better-sqlite3';

/** Which of some texts appear in the files of a data folder. Compressed data is decompressed. */
export function tracesIn(dataDir: string, texts: Readonly<Record<string, Needle>>): string[] {
  const contents = [...filesOf(dataDir), ...sectionsOf(dataDir)];
  return Object.entries(texts).flatMap(([name, text]) => {
    const where = contents.filter(({ bytes }) => bytes.includes(text));
    return where.map((content) => `${name} in ${content.name}`);
  });
}

/** A text, or bytes as they are stored. */
export type Needle = Buffer | string;

interface Content {
  name: string;
  bytes: Buffer;
}

function filesOf(dataDir: string): Content[] {
  const files = readdirSync(dataDir, { recursive: true, withFileTypes: true });
  return files
    .filter((file) => file.isFile())
    .map(({ name, parentPath }) => ({ name, bytes: readFileSync(join(parentPath, name)) }))
    .flatMap((file) => [file, ...unpacked(file)]);
}

/** The content of a compressed file, as far as it was written. */
function unpacked({ name, bytes }: Content): Content[] {
  if (!name.includes('.gz')) return [];
  return [{ name, bytes: gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }) }];
}

function sectionsOf(dataDir: string): Content[] {
  const db = new Database(join(dataDir, 'opbench.sqlite'), { readonly: true });
  try {
    const rows = db
      .prepare('SELECT publication_id, section, body FROM publication_parts ORDER BY 1, 2, part')
      .all() as { publication_id: number; section: string; body: Buffer }[];
    const sections = Map.groupBy(rows, (row) => `${row.publication_id} ${row.section}`);
    return [...sections].map(([name, parts]) => {
      return { name, bytes: zstdDecompressSync(Buffer.concat(parts.map(({ body }) => body))) };
    });
  } finally {
    db.close();
  }
}
