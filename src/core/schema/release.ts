/** The `opbench` release that a board serves: a file for Node.js, and a package that contains only this file. */
import * as z from 'zod';

/** The manifest of the version that the board serves. */
export const RELEASE_PATH = '/opbench.json';
export const PROGRAM_PATH = '/opbench.mjs';
/** Redirects to the package of the current version. */
export const LATEST_PACKAGE_PATH = '/opbench.tgz';
/** Scripts that install the program for a user, for POSIX shells and for PowerShell. */
export const INSTALLER_PATHS = { sh: '/install.sh', ps1: '/install.ps1' } as const;

/** The path of the package of a version. It contains the version because npx caches packages by URL. */
export function packagePath(version: string): string {
  return `/opbench-${version}.tgz`;
}

/** Redirects to the bundle of the current version. */
export const LATEST_BUNDLE_PATH = '/opbench.mcpb';

/** The path of the bundle of a version for desktop clients (MCP Bundles). */
export function bundlePath(version: string): string {
  return `/opbench-${version}.mcpb`;
}

const Download = z.object({
  url: z.url(),
  /** The digest of the bytes, in the format of Subresource Integrity. */
  integrity: z.string().regex(/^sha512-[A-Za-z0-9+/]{86}==$/),
});

/** The release manifest of a board. Later versions may add members. */
export const Release = z.object({
  name: z.literal('opbench'),
  version: z.string().regex(/^\d+\.\d+\.\d+(-[\w.-]+)?$/),
  /** The supported versions of Node.js, as in package.json. */
  node: z.string(),
  package: Download,
  file: Download,
  /** Absent on boards before 0.16. */
  bundle: Download.optional(),
});
export type Release = z.infer<typeof Release>;
