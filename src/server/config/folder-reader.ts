import { readFileSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';

interface Wanted {
  /** The most bytes that it may have. */
  most: number;
  /** What is wrong if there is none; nothing if this is not given. */
  missing?: string;
}

/** Reads files of a folder and of no other, and collects what is wrong with them. */
export class FolderReader {
  readonly faults: string[] = [];
  readonly #folder: string;
  /** The folder behind all links; null if there is none. */
  readonly #real: string | null;

  constructor(folder: string) {
    this.#folder = folder;
    this.#real = this.#open();
  }

  /** Remembers what is wrong with a file, or with the folder itself. */
  fault(what: string, file = ''): void {
    this.faults.push(`${join(this.#folder, file)}: ${what}`);
  }

  /** Null if there is none, or a fault with it. */
  text(name: string, wanted: Wanted): string | null {
    const bytes = this.bytes(name, wanted);
    if (bytes === null) return null;
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      this.fault('is not UTF-8 text', name);
      return null;
    }
  }

  /** Null if there is none, or a fault with it. */
  bytes(name: string, { most, missing }: Wanted): Buffer | null {
    if (this.#real === null) return null;
    try {
      const path = realpathSync(join(this.#real, name));
      const fault = faultOf(path, this.#real, most);
      if (fault === null) return readFileSync(path);
      this.fault(fault, name);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code !== 'ENOENT') this.fault(`cannot be read: ${message}`, name);
      else if (missing !== undefined) this.fault(missing, name);
    }
    return null;
  }

  #open(): string | null {
    try {
      if (statSync(this.#folder).isDirectory()) return realpathSync(this.#folder);
      this.fault('is a file, and a folder is asked for');
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      this.fault(code === 'ENOENT' ? 'there is no such folder' : `cannot be read: ${message}`);
    }
    return null;
  }
}

function faultOf(path: string, folder: string, most: number): string | null {
  if (!path.startsWith(folder.endsWith(sep) ? folder : folder + sep)) {
    return 'leads out of the folder, and only files in it are read';
  }
  const found = statSync(path);
  if (!found.isFile()) return 'is no file';
  return found.size > most ? `has ${found.size} bytes, and at most ${most} are read` : null;
}
