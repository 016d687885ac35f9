/** The operator's command, as every board serves it: one file for Node, and a package of just that file. */
import * as z from 'zod';

/** Where a board tells which version it serves. */
export const RELEASE_PATH = '/opbench.json';
export const PROGRAM_PATH = '/opbench.mjs';
/** Leads to the package of the version that is served now. */
export const LATEST_PACKAGE_PATH = '/opbench.tgz';

/** Where the package of a version is; npx keeps by its address what it got there. */
export function packagePath(version: string): string {
  return `/opbench-${version}.tgz`;
}

/** The second line of a built file tells its version; null if it does not. */
export function versionIn(program: string): string | null {
  return /^#!.*\n\/\/ opbench (\S+)\n/.exec(program)?.[1] ?? null;
}

const Download = z.object({
  url: z.url(),
  /** As Subresource Integrity writes the digest of the bytes. */
  integrity: z.string().regex(/^sha512-[A-Za-z0-9+/]{86}==$/),
});

/** What a board says of the command that it serves; a later one may say more. */
export const Release = z.object({
  name: z.literal('opbench'),
  version: z.string().regex(/^\d+\.\d+\.\d+(-[\w.-]+)?$/),
  /** The versions of Node that it runs on, as package.json says it. */
  node: z.string(),
  package: Download,
  file: Download,
});
export type Release = z.infer<typeof Release>;
