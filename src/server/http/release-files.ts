import {
  INSTALLER_PATHS,
  LATEST_BUNDLE_PATH,
  LATEST_PACKAGE_PATH,
  PROGRAM_PATH,
  RELEASE_PATH,
  bundlePath,
  packagePath,
} from '#core/schema/release.ts';
import { type PreparedResponse, prepare } from './response/prepared-response.ts';
import type { Released } from '../cli-release/release.ts';
import { prepareVersioned } from './response/assets.ts';

/** Always revalidated, because the board may serve another version after its next start. */
const ALWAYS_ASKED = { 'Cache-Control': 'public, no-cache' };

const TEXT = { 'Content-Type': 'text/plain; charset=utf-8' };

/** Prepares the files of the `opbench` release that the board serves, by address. */
export async function prepareRelease(released: Released): Promise<Map<string, PreparedResponse>> {
  const { release, program, installers } = released;
  const packageOf = packagePath(release.version);
  const bundleOf = bundlePath(release.version);
  const files = {
    [RELEASE_PATH]: prepare(Buffer.from(`${JSON.stringify(release, null, 2)}\n`), {
      'Content-Type': 'application/json',
      ...ALWAYS_ASKED,
    }),
    [PROGRAM_PATH]: prepare(program, {
      'Content-Type': 'text/javascript; charset=utf-8',
      ...ALWAYS_ASKED,
    }),
    [INSTALLER_PATHS.sh]: prepare(Buffer.from(installers.sh), { ...TEXT, ...ALWAYS_ASKED }),
    [INSTALLER_PATHS.ps1]: prepare(Buffer.from(installers.ps1), { ...TEXT, ...ALWAYS_ASKED }),
    [packageOf]: prepareVersioned(released.package, 'application/gzip'),
    [LATEST_PACKAGE_PATH]: movedTo(packageOf),
    // As a zip, some browsers would unpack it.
    [bundleOf]: prepareVersioned(released.bundle, 'application/octet-stream'),
    [LATEST_BUNDLE_PATH]: movedTo(bundleOf),
  };
  const finished = Object.entries(files).map(async ([address, file]) => {
    return [address, await file] as const;
  });
  return new Map(await Promise.all(finished));
}

function movedTo(location: string): Promise<PreparedResponse> {
  return prepare(Buffer.alloc(0), { Location: location, ...ALWAYS_ASKED }, 302);
}
