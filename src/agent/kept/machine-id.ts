/** The ID that the operating system gives this machine. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Environment } from '../settings.ts';

/** Where Linux keeps it: 32 hexadecimal digits. */
const LINUX_FILES = ['/etc/machine-id', '/var/lib/dbus/machine-id'];

/** How long a program of the system may take, in milliseconds. */
const TIMEOUT_MS = 3000;

/** What the ID is read from, for tests. */
export interface MachineSource {
  platform: NodeJS.Platform;
  /** A file's text; null if it cannot be read. */
  read: (path: string) => string | null;
  /** What a program prints; null if it fails. */
  run: (program: string, args: readonly string[]) => string | null;
}

const SYSTEM: MachineSource = { platform: process.platform, read: readSystemFile, run: runQuiet };

/**
 * The machine's ID, or what `OPBENCH_MACHINE` sets in its place; null if there is none, as in many
 * containers.
 */
export function machineId(environment: Environment, source = SYSTEM): string | null {
  const { OPBENCH_MACHINE } = environment;
  return OPBENCH_MACHINE || systemId(environment, source);
}

function systemId(environment: Environment, source: MachineSource): string | null {
  if (source.platform === 'darwin') return macId(source);
  if (source.platform === 'win32') return windowsId(environment, source);
  const ids = LINUX_FILES.map((path) => (source.read(path) ?? '').trim());
  // While a system starts for the first time, the file says "uninitialized".
  return ids.find((id) => /^[0-9a-f]{32}$/i.test(id)) ?? null;
}

function macId({ run }: MachineSource): string | null {
  // A timer may have a PATH without /usr/sbin.
  const told = run('/usr/sbin/ioreg', ['-rd1', '-c', 'IOPlatformExpertDevice']) ?? '';
  return /"IOPlatformUUID"\s*=\s*"([^"]+)"/.exec(told)?.[1] ?? null;
}

function windowsId(environment: Environment, { run }: MachineSource): string | null {
  const reg = `${environment['SystemRoot'] ?? 'C:\\Windows'}\\System32\\reg.exe`;
  const key = 'HKLM\\SOFTWARE\\Microsoft\\Cryptography';
  const told = run(reg, ['query', key, '/v', 'MachineGuid', '/reg:64']) ?? '';
  return /MachineGuid\s+REG_SZ\s+(\S+)/.exec(told)?.[1] ?? null;
}

function readSystemFile(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

function runQuiet(program: string, args: readonly string[]): string | null {
  const { status, stdout } = spawnSync(program, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: TIMEOUT_MS,
    windowsHide: true,
  });
  return status === 0 ? stdout : null;
}
