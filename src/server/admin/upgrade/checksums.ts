/** Reads `SHA256SUMS`, which lists the files of a release. */
import { refused } from './upgrade-error.ts';

/** Digests in hexadecimal, by file name. */
export type Checksums = ReadonlyMap<string, string>;

/** A line of `sha256sum`, for a file in the same folder whose name needs no quoting. */
const LINE = /^([0-9a-f]{64}) [ *]([A-Za-z0-9][\w.+-]*)$/;

/** @throws {UpgradeError} unless every line has a digest and the name of another file. */
export function readChecksums(name: string, bytes: Uint8Array): Checksums {
  const lines = Buffer.from(bytes).toString().replace(/\n$/, '').split('\n');
  const sums = new Map<string, string>();
  lines.forEach((line, at) => {
    const [, digest = '', file = ''] = LINE.exec(line) ?? [];
    if (digest === '' || sums.has(file)) {
      throw refused(
        `Line ${at + 1} of ${name} is not the digest and the name of another file. Report it to the publisher`,
      );
    }
    sums.set(file, digest);
  });
  return sums;
}
