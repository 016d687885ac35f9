/**
 * Which machine and folder the state folder belongs to, so that a copy of it, as in a restored home
 * folder, is noticed before two machines act as one device. The file stays on this machine.
 *
 * @module
 */
import { createHmac } from 'node:crypto';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import * as z from 'zod';
import type { LocalDevice } from '../device.ts';
import { EXIT, Failure, orNull } from '../failure.ts';
import type { Environment } from '../settings.ts';
import type { Keystore } from './keystore.ts';
import { readJson, realPath, writePrivate } from './atomic-file.ts';

const FILE = 'machine.json';
/** What the ledger of a copy held at first. */
export const COPIED = 'copied.json';

const Machine = z.object({
  format: z.literal(1),
  machine: z.string(),
  folder: z.string(),
  /** The folder of the original while a copy has not enrolled: its keys are the original's. Else null. */
  copied_from: z.string().nullable().default(null),
});
type Machine = z.infer<typeof Machine>;

const Installed = z.object({ installation_id: z.string() });

/** How the state folder relates to where it is. */
export type MachineBinding =
  /** It was never bound, or the machine has no ID. */
  | { state: 'unbound' }
  | { state: 'same' }
  /** It has another path on the same machine. */
  | { state: 'moved' }
  /** Another folder holds the original; an enrollment of the copy may have begun. */
  | { state: 'copied'; from: string; isOtherMachine: boolean; isBegun: boolean };

export type Copied = Extract<MachineBinding, { state: 'copied' }>;

type Bound = Pick<LocalDevice, 'environment'> & { keystore: Pick<Keystore, 'folder'> };

/** This machine cannot send for a device that another folder or machine is. */
export class CopiedInstallation extends Failure {
  override readonly code = 'copied_installation';

  constructor(binding: Copied) {
    super(EXIT.notEnrolled, copyText(binding), COPY_ADVICE);
  }
}

export const COPY_ADVICE = [
  'If both machines are in use, get a code in the settings of the board ("New key"), then: opbench enroll CODE --new.',
  'If this machine continues the other: opbench enroll CODE --replace DEVICE.',
  'If it is the same machine, for example with a reinstalled system: opbench submit --same-machine.',
].join(' ');

export function copyText({ from, isOtherMachine, isBegun }: Copied): string {
  if (isBegun)
    return 'This copy of a state folder is not enrolled yet, so nothing is sent from here';
  const original = isOtherMachine ? `${from} on another machine` : from;
  return `The state folder is a copy of ${original}. Counts are kept, but nothing is sent from here`;
}

/** How the state folder relates to where it is. Changes nothing. */
export function bindingOf({ environment, keystore: { folder } }: Bound): MachineBinding {
  const known = readJson(join(folder, FILE), Machine);
  const id = machineId(environment);
  if (known === null || id === null) return { state: 'unbound' };
  const isOtherMachine = known.machine !== hashOf(id);
  const copied = { state: 'copied', from: known.folder, isOtherMachine, isBegun: false } as const;
  if (isOtherMachine) return copied;
  const isSame = isSameFolder(known.folder, folder);
  if (!isSame && isInstallationOf(known.folder, folder)) return copied;
  const { copied_from: from } = known;
  if (from !== null) return { ...copied, from, isBegun: true };
  return { state: isSame ? 'same' : 'moved' };
}

/** The same; binds a state folder that is new or was moved. */
export function bindingHere(device: Bound): MachineBinding {
  const binding = bindingOf(device);
  if (binding.state === 'unbound' || binding.state === 'moved') {
    // A folder that cannot be written to stops what writes its state, not this.
    orNull(() => bind(device));
  }
  return binding;
}

/**
 * Makes the state folder that of this machine, at its path; without a machine's ID it stays as it is.
 *
 * @param copiedFrom The folder of the original, as long as the keys here are copies of its keys.
 */
export function bind(
  { environment, keystore: { folder } }: Bound,
  copiedFrom: string | null = null,
): void {
  if (copiedFrom === null) rmSync(join(folder, COPIED), { force: true });
  const id = machineId(environment);
  if (id === null) return;
  const bound: Machine = {
    format: 1,
    machine: hashOf(id),
    folder: realPath(folder),
    copied_from: copiedFrom,
  };
  writePrivate(join(folder, FILE), `${JSON.stringify(bound)}\n`);
}

/** A name for where the state folder is: its machine and path; null where the machine has no ID. */
export function placeOf({ environment, keystore: { folder } }: Bound): string | null {
  const id = machineId(environment);
  return id === null ? null : `${hashOf(id)} ${realPath(folder)}`;
}

/** The system asks that its ID is not stored as it is. */
function hashOf(id: string): string {
  return createHmac('sha256', 'opbench machine').update(id).digest('base64url');
}

/** Whether two paths lead to one folder, also by a second mount of it. */
function isSameFolder(a: string, b: string): boolean {
  if (a === realPath(b)) return true;
  const [one, other] = [a, b].map((path) => statSync(path, { throwIfNoEntry: false }));
  return one !== undefined && one.ino === other?.ino && one.dev === other.dev;
}

function isInstallationOf(a: string, b: string): boolean {
  const [one, other] = [a, b].map((path) => readJson(join(path, 'installation.json'), Installed));
  return one != null && one.installation_id === other?.installation_id;
}

/** Where Linux keeps it: 32 hexadecimal digits. */
const LINUX_FILES = ['/etc/machine-id', '/var/lib/dbus/machine-id'];

const TIMEOUT_MS = 3000;

/** What the ID is read from, for tests. */
interface MachineSource {
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
