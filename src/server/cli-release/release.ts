/** The `opbench` program as this board serves it, with the board's address built in. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { packTar } from 'modern-tar';
import {
  type INSTALLER_PATHS,
  PROGRAM_PATH,
  type Release,
  bundlePath,
  packagePath,
} from '#core/schema/release.ts';
import { versionIn } from '#core/domain/text/program-version.ts';
import { bundleManifest } from './bundle-manifest.ts';
import { storedZip } from './stored-zip.ts';

export interface BuiltProgram {
  program: string;
  license: string;
  /** Templates of the scripts that install the program. */
  installers: Installers;
}

/** A script for POSIX shells, and one for PowerShell. */
type Installers = Readonly<Record<keyof typeof INSTALLER_PATHS, string>>;

export interface Released {
  release: Release;
  program: Buffer;
  package: Buffer;
  bundle: Buffer;
  installers: Installers;
}

export function readBuiltProgram(root: string): BuiltProgram {
  return {
    program: readFileSync(join(root, 'dist', 'opbench.mjs'), 'utf8'),
    license: readFileSync(join(root, 'LICENSE'), 'utf8'),
    installers: {
      sh: readFileSync(join(root, 'dist', 'install', 'install.sh'), 'utf8'),
      ps1: readFileSync(join(root, 'dist', 'install', 'install.ps1'), 'utf8'),
    },
  };
}

const MIN_NODE = '20';
const NODE = `>=${MIN_NODE}`;

/** Creates the release that the board serves. The same program and address always give the same bytes. */
export async function releaseOf(built: BuiltProgram, baseUrl: string): Promise<Released> {
  const version = versionOf(built);
  const program = Buffer.from(withAddress(built.program, baseUrl));
  const packed = await npmPackage([
    { name: 'package.json', bytes: Buffer.from(manifest(version, baseUrl)) },
    { name: 'opbench.mjs', bytes: program, isProgram: true },
    { name: 'README.md', bytes: Buffer.from(readme(baseUrl)) },
    { name: 'LICENSE', bytes: Buffer.from(built.license) },
  ]);
  const bundle = storedZip([
    { name: 'manifest.json', bytes: Buffer.from(bundleManifest(version, baseUrl, NODE)) },
    { name: 'opbench.mjs', bytes: program },
    { name: 'README.md', bytes: Buffer.from(readme(baseUrl)) },
    { name: 'LICENSE', bytes: Buffer.from(built.license) },
  ]);
  const release: Release = {
    name: 'opbench',
    version,
    node: NODE,
    package: { url: baseUrl + packagePath(version), integrity: integrityOf(packed) },
    file: { url: baseUrl + PROGRAM_PATH, integrity: integrityOf(program) },
    bundle: { url: baseUrl + bundlePath(version), integrity: integrityOf(bundle) },
  };
  const written = (template: string) => installerOf(template, { version, baseUrl, program });
  const installers = { sh: written(built.installers.sh), ps1: written(built.installers.ps1) };
  return { release, program, package: packed, bundle, installers };
}

/** The scripts quote what is inserted, so the address must not end a string. URLs with quotes are not origins. */
function installerOf(
  template: string,
  { version, baseUrl, program }: { version: string; baseUrl: string; program: Buffer },
): string {
  const values: Readonly<Record<string, string>> = {
    '@VERSION@': version,
    '@BOARD@': baseUrl,
    '@NODE@': MIN_NODE,
    '@SHA256@': createHash('sha256').update(program).digest('hex'),
  };
  return template.replaceAll(/@[A-Z0-9]+@/g, (place) => values[place] ?? place);
}

/** The version that the program itself states, so that the package has the same one. */
export function versionOf({ program }: Pick<BuiltProgram, 'program'>): string {
  const version = versionIn(program);
  if (version !== null) return version;
  throw new Error(
    'dist/opbench.mjs has no version in its second line. Remove dist and start again',
  );
}

/** The placeholder for the board's address in the built program. It may occur more than once. */
const PLACE = '"@OPBENCH_BOARD@"';

function withAddress(program: string, baseUrl: string): string {
  if (!program.includes(PLACE)) {
    throw new Error(
      `dist/opbench.mjs has no placeholder ${PLACE} for the board's address. Remove dist and start again`,
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
      description:
        "Submits signed daily token counts from your AI assistants' logs to an Opbench board.",
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

The command-line program for the board at ${baseUrl}. It adds up the token counts in your AI
assistants' logs by day. When you run \`opbench submit\`, it signs and sends these daily counts.
\`opbench submit --dry-run\` prints the exact bytes without sending them. \`opbench --help\` lists all
commands. See ${baseUrl}/privacy for everything that is sent and stored.
`;
}

interface PackedFile {
  name: string;
  bytes: Uint8Array;
  isProgram?: boolean;
}

/** The modification time that npm gives every file in a package. */
const MTIME = new Date('1985-10-26T08:15:00Z');

export async function npmPackage(files: readonly PackedFile[]): Promise<Buffer> {
  const entries = files.map(({ name, bytes, isProgram = false }) => ({
    header: {
      name: `package/${name}`,
      size: bytes.length,
      mode: isProgram ? 0o755 : 0o644,
      mtime: MTIME,
      uid: 0,
      gid: 0,
    },
    body: bytes,
  }));
  return storedGzip(await packTar(entries));
}

/** A gzip header without file name, time and operating system. */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
const MAX_STORED = 0xffff;

/**
 * Wraps bytes as gzip without compressing them, because compressed bytes differ between zlib versions and
 * processors.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc1951#section-3.2.4 | RFC 1951, section 3.2.4}
 */
export function storedGzip(bytes: Uint8Array): Buffer {
  const parts: Uint8Array[] = [GZIP_HEADER];
  for (let start = 0; start === 0 || start < bytes.length; start += MAX_STORED) {
    const block = bytes.subarray(start, start + MAX_STORED);
    const head = Buffer.alloc(5);
    head.writeUInt8(start + MAX_STORED >= bytes.length ? 1 : 0, 0);
    head.writeUInt16LE(block.length, 1);
    head.writeUInt16LE(~block.length & MAX_STORED, 3);
    parts.push(head, block);
  }
  const tail = Buffer.alloc(8);
  tail.writeUInt32LE(crc32(bytes), 0);
  tail.writeUInt32LE(bytes.length % 2 ** 32, 4);
  return Buffer.concat([...parts, tail]);
}
