/** What an upgrade needs to know about the running program. */
import { VERSION } from '#core/cli/version.ts';
import { sizeText } from '#core/domain/text/figure.ts';
import { type BuildKind, buildKind } from './build-kind.ts';
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
    kind: buildKind(),
    version: VERSION,
    platform: `${process.platform}-${process.arch}`,
    executable: process.execPath,
    releaseKey: typeof OPBENCH_RELEASE_KEY === 'undefined' ? null : OPBENCH_RELEASE_KEY,
    fetch,
    platformOf,
    onProgress: process.stderr.isTTY ? showProgress : () => undefined,
  };
}

/** Overwrites a line of the terminal. */
function showProgress(bytes: number, total: number | null): void {
  const isDone = bytes === total;
  const of = total === null ? '' : ` of ${sizeText(total)}`;
  process.stderr.write(`\r\u001B[KDownloading: ${sizeText(bytes)}${of}${isDone ? '\n' : ''}`);
}
