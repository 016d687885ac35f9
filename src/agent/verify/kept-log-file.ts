/** The public log of a board as the last successful check left it, so that the next one downloads only what is new. */
import { copyFileSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as z from 'zod';
import { Keystore } from '../state/keystore.ts';
import { type Environment, cacheFolder } from '../settings.ts';
import { readJson, writeCache } from '../state/atomic-file.ts';

const Tags = z.object({ boards: z.string().nullable() });

export class KeptLogFile {
  readonly #folder: string;

  constructor(environment: Environment, board: string) {
    const name = basename(new Keystore('').folderOf(board));
    this.#folder = join(cacheFolder(environment), 'verify', name);
  }

  get path(): string {
    return join(this.#folder, 'log.ndjson.gz');
  }

  /** The tag of the boards in the file, as the board sent it; null if unknown. */
  get etag(): string | null {
    return readJson(this.#tagsPath, Tags)?.boards ?? null;
  }

  /** Keeps a checked file. Without it, the next check downloads everything, so errors are ignored. */
  keep(path: string, boards: string | null): void {
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      rmSync(this.#tagsPath, { force: true });
      if (path !== this.path) {
        const draft = `${this.path}.${process.pid}.tmp`;
        copyFileSync(path, draft);
        renameSync(draft, this.path);
      }
      writeCache(this.#tagsPath, JSON.stringify({ boards }));
    } catch {
      rmSync(this.#folder, { recursive: true, force: true });
    }
  }

  get #tagsPath(): string {
    return join(this.#folder, 'tags.json');
  }
}
