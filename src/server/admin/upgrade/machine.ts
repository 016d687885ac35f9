/** What an upgrade needs to know about the running program. */
import { VERSION } from '#core/cli/version.ts';
import { type BuildKind, buildOf, findRoot } from '#server/config/installation.ts';
import { platformOf } from './executable-format.ts';

declare const OPBENCH_RELEASE_KEY: string | null | undefined;

export interface Machine {
  kind: BuildKind;
  version: string;
  platform: string;
  /** The path of the executable. */
  executable: string;
  /** The public key of releases; null if the build contains none. */
  releaseKey: string | null;
  fetch: typeof fetch;
  /** The longest time that a server may send nothing, in milliseconds. */
  idleMs?: number;
  platformOf(head: Buffer): string | null;
  onProgress(bytes: number, total: number | null): void;
}

export function thisMachine(): Machine {
  return {
    kind: buildOf(findRoot()).kind,
    version: VERSION,
    platform: `${process.platform}-${process.arch}`,
    executable: process.execPath,
    releaseKey: typeof OPBENCH_RELEASE_KEY === 'undefined' ? null : OPBENCH_RELEASE_KEY,
    fetch,
    platformOf,
    onProgress: process.stderr.isTTY ? progressLine() : () => undefined,
  };
}

const MB = 1_000_000;

/** Shows each megabyte in a line of the terminal, which the next text overwrites. */
function progressLine(): Machine['onProgress'] {
  let shown = '';
  return (bytes, total) => {
    const of = total === null ? '' : ` of ${Math.ceil(total / MB)}`;
    const line = bytes === total ? '' : `Downloading: ${Math.floor(bytes / MB)}${of} MB\r`;
    if (line !== shown) process.stderr.write(`\u001B[K${line}`);
    shown = line;
  };
}
