/** Checks everything that `opbench` depends on, and reports problems with advice. */
import zlib from 'node:zlib';
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isBuiltin } from 'node:module';
import { utcDay } from '#core/domain/counting/day.ts';
import { autoReport } from '../auto/health.ts';
import type { Progress } from '../command.ts';
import type { LocalDevice } from '../device.ts';
import { type FindingReport, problem, typedFindings, warning } from '../finding.ts';
import { EXIT } from '../failure.ts';
import type { DoctorReport, TimerReport, FolderReport, ProgramReport } from '../device-reports.ts';
import { counted } from '../text/figures.ts';
import { scanDevice } from '../loop/scan-device.ts';
import { adoptSent } from '../loop/adopt-sent.ts';
import { openForUpdate } from '../loop/note-copy.ts';
import { listFolder } from '../state/atomic-file.ts';
import { installedFile } from '../state/copy.ts';
import { installedVersion } from '../state/installed.ts';
import { type Environment, cacheFolder, stateFolder } from '../settings.ts';
import { VERSION, isOlder } from '../version.ts';
import { examineBoards } from './boards.ts';
import { configFindings, configReport } from './config.ts';
import { bindingFindings } from './devices.ts';
import { ledgerFindings, ledgerReport, logFindings, logReports, uncountedReports } from './logs.ts';

interface DoctorOptions {
  board?: string | undefined;
  offline: boolean;
  /** Repairs the ledger before checking it. */
  repair?: boolean;
  progress?: Progress;
}

/**
 * Checks this installation. Problems are reported, never thrown. Only `repair` changes anything.
 *
 * @throws {Failure} `usage` if a setting is wrong, since it is then unclear which logs to read.
 */
export async function examine(
  device: LocalDevice,
  { board, offline, repair = false, progress = () => undefined }: DoctorOptions,
): Promise<DoctorReport> {
  const { environment } = device;
  // Comes first, because reading a key makes its file private again.
  const exposed = exposedFindings(environment);
  const config = configReport(environment);
  const program = programReport(device);
  const state = folderReport(stateFolder(environment));
  const index = folderReport(join(cacheFolder(environment), 'logs'));
  const repaired = repair ? await repairLedger(device, progress) : [];
  const { scanned, ledger, notes } = await scanDevice(device, progress);
  const kept = ledgerReport(ledger, scanned, environment);
  const { findings: autoFindings, ...auto } = autoReport(device);
  progress('asking boards');
  const { boards, findings: boardFindings } = await examineBoards(device, {
    board,
    offline,
    sumUntil: (day, tool, untilMs) => ledger.sumUntil(day, tool, untilMs),
  });
  const found = [
    ...logFindings(scanned, utcDay(device.nowMs())),
    ...folderFindings(state, index),
    ...ledgerFindings(ledger, kept, notes),
    ...exposed,
    ...bindingFindings(device),
    ...configFindings(device),
    ...programFindings(program),
    ...boardFindings,
    ...autoFindings,
    ...strandedFindings(auto, device),
  ];
  const findings = typedFindings(device, found).sort((a, b) => rankOf(a) - rankOf(b));
  const logs = logReports(scanned);
  const uncounted = uncountedReports(environment);
  const examined = { program, config, state, index, logs, uncounted, ledger: kept };
  return { ...examined, boards, auto, repaired, findings };
}

function strandedFindings({ state }: TimerReport, { keystore }: LocalDevice) {
  if (state === 'off' || keystore.isEnrolled()) return [];
  const text = 'The timer is on, but this device is not enrolled on any board';
  return [problem(EXIT.usage, text, 'Run: opbench auto off')];
}

function rankOf({ severity }: FindingReport): number {
  return severity === 'problem' ? 0 : 1;
}

/**
 * Sets damaged files aside, reads all logs again, and adds the counts that only boards have. Never lowers a count.
 *
 * @returns What was done; empty if the ledger must not be changed.
 */
async function repairLedger(device: LocalDevice, progress?: Progress): Promise<string[]> {
  const opened = openForUpdate(device, device);
  if (opened.blocked) return [];
  const before = opened.responses();
  const { notes } = await opened.distrust();
  const lost = before - opened.responses();
  const { ledger, notes: told } = await scanDevice(device, progress);
  const read = ledger.responses() - opened.responses();
  const adopted = await adoptSent(device, ledger, true);
  const summary = [
    ...(lost > 0 ? [`${counted(lost, 'response')} could not be read from the ledger`] : []),
    ...(read > 0 ? [`${counted(read, 'response')} read again from the logs`] : []),
  ];
  const done = [...notes, ...told, ...summary, ...adopted];
  return done.length > 0 ? done : ['Nothing to repair: the ledger matches the logs and the boards'];
}

function programReport({ environment, file }: LocalDevice): ProgramReport {
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

function programFindings({ copy, version }: ProgramReport): FindingReport[] {
  if (!copy.exists || !isOlder(copy.version ?? '', version)) return [];
  const text = `The saved copy ${copy.path} is version ${copy.version}; this is ${version}`;
  return [warning(text, 'Run: opbench update')];
}

function folderFindings(state: FolderReport, index: FolderReport): FindingReport[] {
  const advice = 'Make it writable, or set OPBENCH_HOME to another folder.';
  return [
    ...(state.writable
      ? []
      : [problem(EXIT.usage, `The state folder ${state.path} is not writable`, advice)]),
    ...(index.writable
      ? []
      : [warning(`The log index ${index.path} is not writable, so scans are slower`, advice)]),
  ];
}

/** Keys and folders that other users of this machine can access. Must run before the keys are read. */
function exposedFindings(environment: Environment): FindingReport[] {
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
        const text = `Other users could read the key in ${path} (mode ${mode.toString(8)})`;
        const advice =
          'It is private again now. If others use this machine, replace the key: opbench logout, then enroll again.';
        return problem(EXIT.usage, text, advice);
      }),
    ...[state, ...boards]
      .flatMap((path) => exposed(path, 0o022))
      .map(({ path, mode }) => {
        const text = `Other users can write to ${path} (mode ${mode.toString(8)})`;
        return problem(EXIT.usage, text, `Run: chmod 700 '${path}'`);
      }),
  ];
}

/** The path and its mode if other users have one of these permissions; else empty. */
function exposed(path: string, bits: number): { path: string; mode: number }[] {
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
