/** Releases of `opbench-board` in a folder or on a server, and a program that upgrades itself from them. */
import { chmodSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { PROGRAM } from '#server/admin/commands.ts';
import { upgradeOn } from '#server/admin/commands/upgrade.ts';
import type { Machine } from '#server/admin/upgrade/machine.ts';
import { sha256Hex } from '#server/process/crypto.ts';
import { newKeyPair, sign } from '../../../scripts/release/minisign.mjs';
import { runAdmin } from './admin.ts';
import { aDataDir } from './context.ts';

export const KEY = newKeyPair();
export const PLATFORM = 'linux-x64';

/** The executables of these tests are scripts, which do not start on Windows. */
export const CAN_RUN = process.platform !== 'win32';

export function aProgram(version: string): string {
  return `#!/bin/sh\necho "${version} (single file)"\n`;
}

export function fileOf(version: string, platform = PLATFORM): string {
  return `opbench-board-${version}-${platform}`;
}

type Files = Record<string, string>;

export const NOTES = `# Release notes

## 1.3.0

- New in 1.3.

## 1.2.0

- New in 1.2.
`;

/** The files of a release with a signed list of them. */
export function aRelease(files: Files = releaseOf('1.3.0')): Files {
  const sums = Object.entries(files).map(([name, text]) => `${sha256Hex(text)}  ${name}\n`);
  return signed(files, sums.join(''));
}

export function releaseOf(version: string, program = aProgram(version)): Files {
  return { [fileOf(version)]: program, 'RELEASE_NOTES.md': NOTES };
}

export function signed(files: Files, sums: string, { secretKey } = KEY): Files {
  const bytes = Buffer.from(sums);
  const signature = sign({ bytes, secretKey, trustedComment: 'file:SHA256SUMS' });
  return { ...files, SHA256SUMS: sums, 'SHA256SUMS.minisig': signature };
}

/** Returns the path of a folder with the files. */
export function inFolder(files: Files): string {
  const folder = join(aDataDir(), 'releases');
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

/** Answers a request itself, or lets the server answer with `next`. */
export type Answer = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** Returns the address of a server with the files. */
export async function onServer(
  files: Files,
  answer: Answer = (_request, _response, next) => next(),
): Promise<string> {
  const server = createServer((request, response) =>
    answer(request, response, () => {
      const text = files[(request.url ?? '').split('/').at(-1) ?? ''];
      response.statusCode = text === undefined ? 404 : 200;
      response.end(text);
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** An executable of version 1.2.0 in a folder of its own. */
export function anInstallation(changes: Partial<Machine> = {}) {
  const folder = join(aDataDir(), 'bin');
  const executable = join(folder, 'opbench-board');
  mkdirSync(folder);
  writeFileSync(executable, aProgram('1.2.0'));
  chmodSync(executable, 0o751);
  const machine: Machine = {
    kind: 'single file',
    version: '1.2.0',
    platform: PLATFORM,
    executable,
    releaseKey: KEY.publicKey,
    fetch,
    platformOf: () => PLATFORM,
    onProgress: () => undefined,
    ...changes,
  };
  const program = {
    ...PROGRAM,
    commands: { ...PROGRAM.commands, upgrade: () => upgradeOn(() => machine) },
  };
  const upgrade = (place: string | undefined, ...words: string[]) => {
    return runAdmin(['upgrade', ...words], { UPDATE_URL: place }, program);
  };
  /** The files of the folder, with content and mode. */
  const state = () =>
    readdirSync(folder).map((name) => {
      const path = join(folder, name);
      return [name, readFileSync(path, 'utf8'), statSync(path).mode & 0o7777];
    });
  return { executable, folder, upgrade, state };
}

export const OLD = [['opbench-board', aProgram('1.2.0'), 0o751]];
export const NEW = [['opbench-board', aProgram('1.3.0'), 0o751]];
