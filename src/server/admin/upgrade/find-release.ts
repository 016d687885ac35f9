/** Finds the newest release at UPDATE_URL and verifies the list that contains it. */
import { sha256Hex } from '#server/process/crypto.ts';
import { EXIT } from '../command.ts';
import { type Checksums, readChecksums } from './checksums.ts';
import { verifySignature } from './minisign.ts';
import { type VersionNotes, notesSince } from './release-notes.ts';
import { type ReleaseSource, readSmall } from './release-source.ts';
import { type Release, releasesIn } from './releases.ts';
import { UpgradeError, refused } from './upgrade-error.ts';

const SUMS = 'SHA256SUMS';
const NOTES = 'RELEASE_NOTES.md';
const TEXT_BYTES = 1024 * 1024;
const SIGNATURE_BYTES = 16 * 1024;

interface Wanted {
  source: ReleaseSource;
  /** The content of a public key file; null if the build contains none. */
  releaseKey: string | null;
  /** The running version. */
  version: string;
  /** The platform of the executable; null for any. */
  platform: string | null;
}

export interface Found {
  newest: Release;
  /** What changed since the running version. */
  notes: VersionNotes[];
}

/** @throws {UpgradeError} if there is no release for the platform, or it cannot be verified. */
export async function findRelease(wanted: Wanted): Promise<Found> {
  const { source, version, platform } = wanted;
  const sums = await readSums(wanted);
  const releases = releasesIn(sums);
  const newest = releases.find((release) => platform === null || release.platform === platform);
  if (newest === undefined) {
    const platforms = [...new Set(releases.map((release) => release.platform))].join(', ');
    throw refused(
      `${source.shown} has no release for ${platform ?? 'any platform'}${platforms && `, only for ${platforms}`}. Ask the publisher, or build the board from its source`,
    );
  }
  return { newest, notes: notesSince(await readNotes(source, sums), version) };
}

async function readSums({ source, releaseKey }: Wanted): Promise<Checksums> {
  if (releaseKey === null) {
    throw refused(
      'This build of opbench-board contains no release key, so it cannot verify a release. Download a build of the publisher by hand, or build the new version from its source',
    );
  }
  const bytes = await readSmall(source, SUMS, TEXT_BYTES);
  if (bytes === null) {
    throw new UpgradeError(
      EXIT.usage,
      `There is no ${SUMS} in ${source.shown}. Set UPDATE_URL to the folder that contains it`,
    );
  }
  const signature = await readSmall(source, `${SUMS}.minisig`, SIGNATURE_BYTES);
  if (signature === null) {
    throw refused(
      `There is no ${SUMS}.minisig in ${source.shown}, so the release cannot be verified. Ask the publisher to sign it`,
    );
  }
  verifySignature({
    name: SUMS,
    bytes,
    signature: signature.toString(),
    publicKey: releaseKey,
  });
  return readChecksums(SUMS, bytes);
}

async function readNotes(source: ReleaseSource, sums: Checksums): Promise<string> {
  const digest = sums.get(NOTES);
  const bytes = digest === undefined ? null : await readSmall(source, NOTES, TEXT_BYTES);
  if (bytes === null) return '';
  if (sha256Hex(bytes) !== digest) throw wrongDigest(NOTES);
  return bytes.toString();
}

export function wrongDigest(name: string): UpgradeError {
  return refused(
    `${name} differs from its digest in ${SUMS}, so the download is damaged or the file was replaced. Run the command again. If that does not help, report it to the publisher`,
  );
}
