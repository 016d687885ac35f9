/** The operator's command as this board serves it: with its own address written in. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROGRAM_PATH, type Release, packagePath, versionIn } from '#core/schema/release.ts';
import { npmPackage } from './npm-package.ts';

/** What is the same at every board. */
export interface BuiltProgram {
  /** The text of `dist/opbench.mjs`. */
  program: string;
  license: string;
}

/** What the board serves. */
export interface Released {
  release: Release;
  program: Buffer;
  package: Buffer;
}

/** What the build left. */
export function readBuiltProgram(root: string): BuiltProgram {
  return {
    program: readFileSync(join(root, 'dist', 'opbench.mjs'), 'utf8'),
    license: readFileSync(join(root, 'LICENSE'), 'utf8'),
  };
}

/** The versions of Node that the command is built for. */
const NODE = '>=20';

/**
 * Makes what the board serves; the same of the same program and address, wherever and whenever it is made.
 *
 * @throws {Error} if the program is not as the build leaves it.
 */
export async function releaseOf(built: BuiltProgram, baseUrl: string): Promise<Released> {
  const version = versionOf(built.program);
  const program = Buffer.from(withAddress(built.program, baseUrl));
  const packed = await npmPackage([
    { name: 'package.json', bytes: Buffer.from(manifest(version, baseUrl)) },
    { name: 'opbench.mjs', bytes: program, isProgram: true },
    { name: 'README.md', bytes: Buffer.from(readme(baseUrl)) },
    { name: 'LICENSE', bytes: Buffer.from(built.license) },
  ]);
  const release: Release = {
    name: 'opbench',
    version,
    node: NODE,
    package: { url: baseUrl + packagePath(version), integrity: integrityOf(packed) },
    file: { url: baseUrl + PROGRAM_PATH, integrity: integrityOf(program) },
  };
  return { release, program, package: packed };
}

/** The program's own word: the package must not be called by another version. */
function versionOf(program: string): string {
  const version = versionIn(program);
  if (version !== null) return version;
  throw new Error(
    'dist/opbench.mjs does not tell its version in its second line: remove dist and start again',
  );
}

/** Stands in the built program where a board's address belongs; the build may have repeated it. */
const PLACE = '"@OPBENCH_BOARD@"';

function withAddress(program: string, baseUrl: string): string {
  if (!program.includes(PLACE)) {
    throw new Error(
      `dist/opbench.mjs has no ${PLACE} to write the board's address to: remove dist and start again`,
    );
  }
  return program.replaceAll(PLACE, () => JSON.stringify(baseUrl));
}

function integrityOf(bytes: Buffer): string {
  return `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
}

function manifest(version: string, homepage: string): string {
  const text = JSON.stringify(
    {
      name: 'opbench',
      version,
      description: "Honest metrics from your assistants' token logs, for a board that ranks them.",
      homepage,
      license: 'MIT',
      type: 'module',
      bin: { opbench: 'opbench.mjs' },
      engines: { node: NODE },
    },
    null,
    2,
  );
  return `${text}\n`;
}

function readme(baseUrl: string): string {
  return `# opbench

The command for the board at ${baseUrl}: it adds the token counts in your assistants' logs up
by day, and signs and sends these sums when you say so. \`opbench submit --dry-run\` prints the
exact bytes first. \`opbench --help\` lists what else it does; ${baseUrl}/privacy tells all that it
sends and keeps.
`;
}
