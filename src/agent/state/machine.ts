/**
 * Binds the state folder to a machine and path, so that a copy, for example in a restored home folder, is noticed before
 * two machines act as one device. The file is never sent.
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
/** The file with the content of a copied ledger. */
export const COPIED = 'copied.json';

const Machine = z.object({
  format: z.literal(1),
  machine: z.string(),
  folder: z.string(),
  /** For a copy that is not enrolled yet, the folder of the original, whose keys it has. Else null. */
  copied_from: z.string().nullable().default(null),
});
type Machine = z.infer<typeof Machine>;

const Installed = z.object({ installation_id: z.string() });

/** How the state folder relates to its machine and path. */
export type MachineBinding =
  /** Not bound yet, or the machine has no ID. */
  | { state: 'unbound' }
  | { state: 'same' }
  /** Another path on the same machine. */
  | { state: 'moved' }
  /** A copy of another folder. An enrollment of the copy may have begun. */
  | { state: 'copied'; from: string; isOtherMachine: boolean; isBegun: boolean };

export type Copied = Extract<MachineBinding, { state: 'copied' }>;

type Bound = Pick<LocalDevice, 'environment'> & { keystore: Pick<Keystore, 'folder'> };

/** A copied state folder cannot send, because the original is the device. */
export class CopiedInstallation extends Failure {
  override readonly code = 'copied_installation';

  constructor(binding: Copied) {
    super(EXIT.notEnrolled, copyText(binding), COPY_ADVICE);
  }
}

export const COPY_ADVICE = [
  'If you use both machines, get a code from "Add a device" in the board\'s settings, then: opbench enroll CODE --new.',
  'If this machine continues the other one: opbench enroll CODE --replace DEVICE.',
  'If it is the same machine, for example with a reinstalled system: opbench submit --same-machine.',
].join(' ');

export function copyText({ from, isOtherMachine, isBegun }: Copied): string {
  if (isBegun)
    return 'This state folder is a copy that is not enrolled yet, so nothing is sent from here';
  const original = isOtherMachine ? `${from} on another machine` : from;
  return `This state folder is a copy of ${original}. Counts are saved, but nothing is sent from here`;
}

/** How the state folder relates to its machine and path. Changes nothing. */
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

/** Like {@linkcode bindingOf}, but binds a state folder that is new or was moved. */
export function bindingHere(device: Bound): MachineBinding {
  const binding = bindingOf(device);
  if (binding.state === 'unbound' || binding.state === 'moved') {
    // An unwritable folder is reported later, when the state is written.
    orNull(() => bind(device));
  }
  return binding;
}

/**
 * Binds the state folder to this machine and its path. Without a machine ID, nothing changes.
 *
 * @param copiedFrom The folder of the original, while the keys here are copies of its keys.
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

/** Machine and path of the state folder as a text; null if the machine has no ID. */
export function placeOf({ environment, keystore: { folder } }: Bound): string | null {
  const id = machineId(environment);
  return id === null ? null : `${hashOf(id)} ${realPath(folder)}`;
}

/** The systemd documentation says that the machine ID must not be stored in plain form. */
function hashOf(id: string): string {
  return createHmac('sha256', 'opbench machine').update(id).digest('base64url');
}

/** Whether two paths are the same folder, also through a second mount. */
function isSameFolder(a: string, b: string): boolean {
  if (a === realPath(b)) return true;
  const [one, other] = [a, b].map((path) => statSync(path, { throwIfNoEntry: false }));
  return one !== undefined && one.ino === other?.ino && one.dev === other.dev;
}

function isInstallationOf(a: string, b: string): boolean {
  const [one, other] = [a, b].map((path) => readJson(join(path, 'installation.json'), Installed));
  return one != null && one.installation_id === other?.installation_id;
}

/** The machine ID on Linux: 32 hexadecimal digits. */
const LINUX_FILES = ['/etc/machine-id', '/var/lib/dbus/machine-id'];

const TIMEOUT_MS = 3000;

/** How the ID is read. Replaced in tests. */
interface MachineSource {
  platform: NodeJS.Platform;
  /** A file's text; null if it cannot be read. */
  read: (path: string) => string | null;
  /** The output of a program; null if it fails. */
  run: (program: string, args: readonly string[]) => string | null;
}

const SYSTEM: MachineSource = { platform: process.platform, read: readSystemFile, run: runQuiet };

/**
 * The machine's ID, or the value of `OPBENCH_MACHINE`; null if there is none, as in many containers.
 */
export function machineId(environment: Environment, source = SYSTEM): string | null {
  const { OPBENCH_MACHINE } = environment;
  return OPBENCH_MACHINE || systemId(environment, source);
}

function systemId(environment: Environment, source: MachineSource): string | null {
  if (source.platform === 'darwin') return macId(source);
  if (source.platform === 'win32') return windowsId(environment, source);
  const ids = LINUX_FILES.map((path) => (source.read(path) ?? '').trim());
  // During the first boot, the file contains "uninitialized".
  return ids.find((id) => /^[0-9a-f]{32}$/i.test(id)) ?? null;
}

function macId({ run }: MachineSource): string | null {
  // The PATH of a timer may not include /usr/sbin.
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
