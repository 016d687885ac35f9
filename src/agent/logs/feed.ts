/** Hands a log that is not made of lines to its reader. */
import type { FileReader, Reader } from '#core/readers/reader.ts';
import { feedDatabase } from './database.ts';
import { feedDocument } from './documents.ts';
import { kindOf } from './files.ts';

/**
 * Feeds a log that is not made of lines; false if it is.
 *
 * @throws {Error} if it cannot be read: then nothing of it counts.
 */
export function feedWhole(reader: Reader, path: string, file: FileReader): boolean {
  const kind = kindOf(path);
  if (kind === 'document') feedDocument(path, reader, file);
  else if (kind === 'database') feedDatabase(path, reader, file);
  else return false;
  return true;
}
