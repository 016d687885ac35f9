/** Enrolls a device that may be, or may be a copy of, a device of the account. */
import { hex } from '#core/domain/log/log-entry.ts';
import { plain } from '#core/domain/text/terminal-text.ts';
import { readBoardUrl } from '../board/address.ts';
import type { KnownDeviceAnswer } from '../board/answers.ts';
import type { Progress } from '../command.ts';
import type { LocalDevice } from '../device.ts';
import { Failure, Refusal } from '../failure.ts';
import { baselineIn, dropBaseline, keepBaseline } from '../state/baseline.ts';
import {
  type Decision,
  dropDecision,
  keepDecision,
  keptDecision,
  askToTakeOver,
} from '../state/board-files.ts';
import type { Identity } from '../state/keystore.ts';
import { type MachineBinding, bind, bindingHere } from '../state/machine.ts';
import { deviceOfSent } from '../state/outbox.ts';
import { sha256 } from '../state/sha256.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { collect } from './collect.ts';
import { type EnrollOptions, enroll, readCode } from './enroll.ts';
import { type Ask, type EnrollFlags, decide, recognize, statedGroups } from './enroll-decision.ts';
import { type Account, leaveToOthers, statedHere } from './left-to-others.ts';
import { aheadOf } from './recover.ts';
import { outboxOf } from './submit.ts';

interface KnownEnrollOptions extends Omit<EnrollOptions, 'label' | 'prepare' | 'replaces'> {
  /** If undefined, the label of the replaced device, or else the platform. */
  label: string | undefined;
  flags: EnrollFlags;
  ask: Ask;
  progress: Progress;
}

interface KnownEnrollment {
  identity: Identity;
  label: string;
  replaced: { id: string; label: string } | null;
  /** Whether a part of the logs here counts for another device or account. */
  isNew: boolean;
  notes: string[];
}

interface Before {
  board: string;
  code: string;
  folder: string;
  binding: MachineBinding;
  identity: Identity | null;
  /** The other account that the identity belongs to; null if there is none. */
  account: Account | null;
  /** The ledger; null if the decision does not depend on it. */
  ledger: Ledger | null;
}

/**
 * Lists the devices of the account, decides whether this one is new, and enrolls it. Without a decision nothing is
 * enrolled, and the code stays valid.
 *
 * @throws {Failure} if there is no decision, or the board rejects the request.
 */
export async function enrollKnown(
  device: LocalDevice,
  options: KnownEnrollOptions,
): Promise<KnownEnrollment> {
  const board = readBoardUrl(options.board);
  const code = readCode(options.code);
  const before: Before = {
    board,
    code,
    folder: device.keystore.folderOf(board),
    binding: bindingHere(device),
    identity: device.keystore.identity(board),
    account: null,
    ledger: null,
  };
  const devices = await knownDevices(device, before);
  const isOwn = devices !== null && ownIn(devices, before) !== null;
  if (!isOwn) before.account = await accountOf(device, before);
  // The first device of an account does not need a scan.
  const isFirst = devices?.length === 0 && before.identity === null && !isCopy(before);
  if (!isFirst) before.ledger = (await collect(device, options.progress)).ledger;
  const decision = await decisionFor(device, before, options, devices);
  return carryOut(device, before, { ...options, board, code }, decision);
}

/** The devices of the account; null if the code is already used but the response was lost. */
async function knownDevices(
  { client, keystore }: LocalDevice,
  { board, code, folder }: Before,
): Promise<KnownDeviceAnswer[] | null> {
  try {
    return (await client.knownDevices(board, code)) ?? [];
  } catch (error) {
    const isUsed = error instanceof Refusal && error.code === 'enrollment_code_invalid';
    const isBegun = keystore.hasPending(board) && keptDecision(folder, codeHash(code)) !== null;
    if (isUsed && isBegun) return null;
    throw error;
  }
}

/** After a lost response, the same code keeps the same decision. */
async function decisionFor(
  device: LocalDevice,
  before: Before,
  { flags, ask }: KnownEnrollOptions,
  devices: readonly KnownDeviceAnswer[] | null,
): Promise<Decision> {
  const { folder, code, ledger } = before;
  if (devices === null) return keptDecision(folder, codeHash(code)) ?? { kind: 'plain' };
  const own = ownIn(devices, before);
  const logged = {
    sumUntil: (day: string, tool: string, untilMs: number) =>
      ledger?.sumUntil(day, tool, untilMs) ?? 0,
    aheadMs: aheadOf(device, before.board),
  };
  const keyOf = isCopy(before) || flags.isNew ? (own?.id ?? null) : null;
  const recognized = recognize(devices, { keyOf, ...logged });
  const isUsedCopy = isCopy(before) && wasDevice(device, before);
  const known = { devices, recognized, own, isCopy: isUsedCopy, nowMs: device.nowMs() };
  const decision = await decide(known, flags, ask);
  if (decision.kind !== 'new' || isCopy(before)) return decision;
  return { ...decision, groups: statedGroups(recognized, logged) };
}

function ownIn(
  devices: readonly KnownDeviceAnswer[],
  { identity, folder }: Before,
): KnownDeviceAnswer | null {
  const ownId = identity?.device_id ?? deviceOfSent(folder);
  return devices.find(({ id }) => id === ownId) ?? null;
}

/** Whether the state folder was ever enrolled. A copy of one that was not, such as in a disk image, is harmless. */
function wasDevice({ keystore }: LocalDevice, { folder }: Before): boolean {
  return keystore.isEnrolled() || deviceOfSent(folder) !== null;
}

function isCopy({ binding }: Pick<Before, 'binding'>): boolean {
  return binding.state === 'copied';
}

/** The account of this installation until now; null if the board no longer knows its key. */
async function accountOf(
  device: LocalDevice,
  { identity, folder }: Before,
): Promise<Account | null> {
  if (identity === null) return null;
  try {
    const { codename } = await device.client.me(identity);
    const stated = await statedHere(device, identity);
    return { codename, stated, baseline: baselineIn(folder, identity.device_id) };
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

async function carryOut(
  device: LocalDevice,
  before: Before,
  { code, board, label: given }: Pick<KnownEnrollOptions, 'board' | 'code' | 'label'>,
  decision: Decision,
): Promise<KnownEnrollment> {
  const { folder } = before;
  const notes: string[] = [];
  const restore = becomeAnother(device, before, decision);
  keepDecision(folder, codeHash(code), decision);
  const replaced = decision.kind === 'replace' ? decision.replaced : null;
  const label = given ?? replaced?.label ?? `${process.platform} ${process.arch}`;
  let identity: Identity;
  try {
    identity = await enroll(device, {
      code,
      board,
      label,
      replaces: replaced?.id,
      prepare: (enrolled) => void notes.push(...prepare(device, before, decision, enrolled)),
    });
  } catch (error) {
    if (error instanceof Failure && !device.keystore.hasPending(board)) restore();
    throw error;
  }
  bind(device);
  dropDecision(folder);
  const isNew = baselineIn(folder, identity.device_id) !== null;
  return { identity, label, replaced, isNew, notes };
}

/**
 * Gives this installation a new ID if the board would otherwise treat it as the earlier device.
 *
 * @returns A function that undoes that, for the case that enrollment fails.
 */
function becomeAnother(device: LocalDevice, before: Before, decision: Decision): () => void {
  const { keystore } = device;
  const { binding } = before;
  const nothing = () => undefined;
  if (binding.state === 'copied') {
    if (!binding.isBegun) beginAnew(device, binding.from);
    return nothing;
  }
  if (decision.kind === 'new' && decision.is_twin) {
    const earlier = keystore.installationId();
    beginAnew(device, keystore.folder);
    return () => {
      keystore.renewInstallation(earlier);
      bind(device);
    };
  }
  if (decision.kind === 'replace' && isBare(device, before)) keystore.renewInstallation();
  return nothing;
}

function beginAnew(device: LocalDevice, from: string): void {
  device.keystore.dropAllPending();
  device.keystore.renewInstallation();
  bind(device, from);
}

/** Whether only the ID is left of an installation, which may be the device that is replaced. */
function isBare({ keystore }: LocalDevice, { board, folder, identity }: Before): boolean {
  const isLost = identity === null && deviceOfSent(folder) === null;
  return isLost && keystore.identities().sound.length === 0 && !keystore.hasPending(board);
}

/** Writes what must be on disk before the new key. */
function prepare(
  device: LocalDevice,
  before: Before,
  decision: Decision,
  { device_id, codename }: Identity,
): string[] {
  const { folder, ledger, account } = before;
  const notes: string[] = [];
  if (ledger) {
    const isElsewhere = account && account.codename !== codename && account.stated.length > 0;
    const enrolled = { device, folder, ledger, decision, device_id, isCopy: isCopy(before) };
    notes.push(...leaveToOthers({ ...enrolled, account: isElsewhere ? account : null }));
  }
  if (decision.kind === 'replace') notes.push(takePlace(before, device_id, decision.replaced));
  if (isCopy(before)) notes.push(...forgetOriginal(device, before.board));
  return notes;
}

function takePlace(
  { folder }: Before,
  deviceId: string,
  replaced: { id: string; label: string },
): string {
  // Days that stayed with the replaced device now belong to this one.
  if (baselineIn(folder, deviceId)?.is_account === false) dropBaseline(folder);
  const earlier = baselineIn(folder, replaced.id);
  // This device does not state what the replaced device did not state.
  if (earlier) keepBaseline(folder, { ...earlier, device_id: deviceId });
  askToTakeOver(folder, deviceId);
  const label = `"${plain(replaced.label)}"`;
  return `This machine continues ${label}, whose key is now revoked.`;
}

/** Deletes copies of the original's keys and of its unsent envelopes. */
function forgetOriginal(device: LocalDevice, board: string): string[] {
  return device.keystore.identities().sound.flatMap((identity) => {
    outboxOf(device, identity).abandon();
    if (identity.board === board) return [];
    device.keystore.erase(identity.board);
    return [
      `The key for ${identity.board} belongs to the original device and was erased here. To submit there, enroll there too.`,
    ];
  });
}

function codeHash(code: string): string {
  return hex(sha256(code));
}
