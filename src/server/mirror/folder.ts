/** The files of a mirror: complete and synced before they have their names, so a mirror can be killed at any moment. */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '#db/engine/make-folder.ts';
import { syncFile, syncFolder } from '../process/atomic-file.ts';

export class MirrorFolder {
  readonly path: string;
  /** The folders with names that may not be durable yet. */
  readonly #changed = new Set<string>();
  #drafts = 0;

  constructor(path: string) {
    this.path = path;
  }

  /** Creates the folder if it is missing, and removes what a killed mirror left unfinished. */
  prepare(): void {
    makeFolder(this.path, 0o700);
    rmSync(join(this.path, 'tmp'), { recursive: true, force: true });
    mkdirSync(join(this.path, 'tmp'), { mode: 0o700 });
  }

  /** The bytes of a file; null if there is none. */
  read(name: string): Buffer | null {
    try {
      return readFileSync(join(this.path, name));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  write(name: string, bytes: Uint8Array | string): void {
    const draft = this.draft();
    writeFileSync(draft, bytes, { mode: 0o600 });
    this.place(draft, name);
  }

  /** A path for a new temporary file. */
  draft(): string {
    this.#drafts += 1;
    return join(this.path, 'tmp', String(this.#drafts));
  }

  /** Gives a temporary file its name. What had the name before is gone. */
  place(draft: string, name: string): void {
    const path = join(this.path, name);
    syncFile(draft);
    makeFolder(dirname(path), 0o700);
    renameSync(draft, path);
    for (let at = dirname(path); at.length >= this.path.length; at = dirname(at)) {
      this.#changed.add(at);
    }
  }

  /** Makes the names of all files durable. */
  sync(): void {
    this.#changed.forEach(syncFolder);
    this.#changed.clear();
  }
}
