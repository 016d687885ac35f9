/** The executables that `SHA256SUMS` lists. */
import type { Checksums } from './checksums.ts';
import { compareVersions, isVersion } from './versions.ts';

/** One executable file of a release. */
export interface Release {
  version: string;
  /** Operating system and architecture, such as `linux-x64`. */
  platform: string;
  /** The name of the file. */
  file: string;
  /** Its SHA-256 in hexadecimal. */
  digest: string;
}

/** The platform is at the end, because prereleases also have hyphens. */
const EXECUTABLE = /^opbench-board-(.+)-([a-z0-9]+-[a-z0-9]+)$/;

/** All executables, the newest version first. */
export function releasesIn(sums: Checksums): Release[] {
  const releases = [...sums].flatMap(([file, digest]) => {
    const [, version = '', platform = ''] = EXECUTABLE.exec(file) ?? [];
    return isVersion(version) ? [{ version, platform, file, digest }] : [];
  });
  return releases.sort((one, two) => compareVersions(two.version, one.version));
}
