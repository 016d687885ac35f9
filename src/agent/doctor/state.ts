import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isBuiltin } from 'node:module';
import zlib from 'node:zlib';
import type { Device } from '../device.ts';
import { EXIT } from '../failure.ts';
import { listFolder } from '../state/atomic-file.ts';
import { type Finding, problem, warning } from '../finding.ts';
import { installedFile } from '../state/copy.ts';
import { installedVersion } from '../state/installed.ts';
import type { FolderReport, ProgramReport } from '../device-reports.ts';
import { type Environment, cacheFolder, stateFolder } from '../settings.ts';
import { VERSION, isOlder } from '../version.ts';

/** Files of the state folder that others than their owner may read or change. */
interface Exposed {
  path: string;
  mode: number;
}

export function programReport({ environment, file }: Device): ProgramReport {
  const path = installedFile(environment);
  return {
    file,
    version: VERSION,
    node: {
      path: process.execPath,
      version: process.versions.node,
      zstd: 'createZstdDecompress' in zlib,
      sqlite: isBuiltin('node:sqlite'),
    },
    copy: { path, exists: existsSync(path), version: installedVersion(environment) },
  };
}

export function programFindings({ copy, version }: ProgramReport): Finding[] {
  if (!copy.exists || !isOlder(copy.version ?? '', version)) return [];
  const text = `The copy at ${copy.path} is ${copy.version}; this is ${version}`;
  return [warning(text, 'Run: opbench update')];
}

export function stateReport(environment: Environment): FolderReport {
  return folderReport(stateFolder(environment));
}

export function indexReport(environment: Environment): FolderReport {
  return folderReport(join(cacheFolder(environment), 'logs'));
}

export function folderFindings(state: FolderReport, index: FolderReport): Finding[] {
  const advice = 'Make it writable, or name another place in OPBENCH_HOME.';
  return [
    ...(state.writable
      ? []
      : [problem(EXIT.usage, `Nothing can be written to ${state.path}`, advice)]),
    ...(index.writable
      ? []
      : [warning(`No index of logs can be kept in ${index.path}`, `${advice} Scans are slower.`)]),
  ];
}

/** Keys and state that other users of this machine can get at; must come before they are read. */
export function exposedFindings(environment: Environment): Finding[] {
  if (process.platform === 'win32') return [];
  const state = stateFolder(environment);
  const boards = listFolder(join(state, 'boards')).map((name) => join(state, 'boards', name));
  const secrets = boards.flatMap((folder) => [
    join(folder, 'identity.json'),
    join(folder, 'pending-key.json'),
  ]);
  return [
    ...secrets
      .flatMap((path) => exposed(path, 0o077))
      .map(({ path, mode }) => {
        const text = `The key in ${path} could be read by others (mode ${mode.toString(8)})`;
        const advice =
          'It is private again now. If others use this machine: opbench logout, enroll.';
        return problem(EXIT.usage, text, advice);
      }),
    ...[state, ...boards]
      .flatMap((path) => exposed(path, 0o022))
      .map(({ path, mode }) => {
        const text = `Others can write to ${path} (mode ${mode.toString(8)})`;
        return problem(EXIT.usage, text, `Run: chmod 700 '${path}'`);
      }),
  ];
}

function exposed(path: string, bits: number): Exposed[] {
  const mode = (statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o777;
  return (mode & bits) === 0 ? [] : [{ path, mode }];
}

function folderReport(path: string): FolderReport {
  let folder = path;
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return { path, writable: statSync(folder).isDirectory() };
  } catch {
    return { path, writable: false };
  }
}
