/** Decides whether a device enrolls as a new one or replaces another device of the account. */
import { plain } from '#core/domain/text/terminal-text.ts';
import { dayAndTool } from '#core/domain/counting/counting.ts';
import type { KnownDeviceAnswer } from '../board/answers.ts';
import { EXIT, Failure } from '../failure.ts';
import type { Decision } from '../state/board-files.ts';
import { deviceLines, deviceText } from '../text/known-devices.ts';
import { type Groups, mergeGroups } from '../state/baseline.ts';

export interface Circumstances {
  /** The devices of the account. Empty if the board does not list them. */
  devices: readonly KnownDeviceAnswer[];
  recognized: readonly Recognized[];
  /** The device that this installation already is or was before it logged out; null if none. */
  own: KnownDeviceAnswer | null;
  isCopy: boolean;
  nowMs: number;
}

export interface EnrollFlags {
  /** The label or ID of the device to replace. */
  replace: string | undefined;
  isNew: boolean;
}

/** Asks a person and returns the reply; null without a terminal. */
export type Ask = (question: string) => Promise<string | null>;

class Undecided extends Failure {
  override readonly code = 'device_recognized';
}

/**
 * Decides from the flags, or from what is certain, or by asking.
 *
 * @throws {Failure} `usage` if there is no terminal to ask on, or nothing was chosen.
 */
export async function decide(
  known: Circumstances,
  { replace, isNew }: EnrollFlags,
  ask: Ask,
): Promise<Decision> {
  if (replace !== undefined && isNew) {
    throw new Failure(EXIT.usage, 'Use --replace or --new, not both');
  }
  if (replace !== undefined) return replacing(deviceNamed(replace, known), known);
  if (isNew) return asNew(known);
  const { own, isCopy, devices } = known;
  if (own !== null && !isCopy) return { kind: 'plain' };
  if (devices.length === 0 && !isCopy) return { kind: 'plain' };
  return asking(known, ask);
}

/** Whether a decision is needed, because a new device would count days of another one. */
function isOpen({ recognized, isCopy }: Circumstances): boolean {
  return recognized.length > 0 || isCopy;
}

async function asking(known: Circumstances, ask: Ask): Promise<Decision> {
  const choices = choicesOf(known);
  const answer = await ask(questionText(known, choices));
  if (answer === null) {
    if (isOpen(known)) throw undecided(known);
    return { kind: 'plain' };
  }
  const isDefault = answer === '' && !isOpen(known);
  const chosen = isDefault ? choices.at(-1) : choices[Number(answer) - 1];
  if (chosen) return chosen.decision;
  const message =
    answer === '' ? 'Nothing was chosen' : `"${plain(answer)}" is not one of the numbers`;
  const hint = 'Run the same command again. The code is still valid.';
  throw new Failure(EXIT.usage, `${message}, so this device was not enrolled`, hint);
}

function replacing(device: KnownDeviceAnswer, { own, isCopy }: Circumstances): Decision {
  // A device that replaces itself stays as it is.
  if (device.id === own?.id && !isCopy) return { kind: 'plain' };
  return { kind: 'replace', replaced: { id: device.id, label: device.label } };
}

/** Days until now stay with the devices that have sent them. */
function asNew({ recognized, isCopy, own }: Circumstances): Decision {
  const labels = recognized.map(({ device }) => `"${plain(device.label)}"`);
  const unnamed = isCopy ? 'the device that this state folder was copied from' : null;
  const stay_with = labels.length > 0 ? labels.join(' and ') : unnamed;
  return { kind: 'new', stay_with, is_twin: own !== null };
}

/** @throws {Failure} `usage` if no device or several devices have that name. */
function deviceNamed(
  name: string,
  { devices, recognized, nowMs }: Circumstances,
): KnownDeviceAnswer {
  const matching = devices.filter(({ id, label }) => id === name || label === name);
  const [device, ...others] = matching;
  if (device && others.length === 0) return device;
  const list = device ? matching.map(({ id, label }) => `  ${id} "${plain(label)}"`) : [];
  const lines = device ? list : deviceLines(devices, recognized, nowMs);
  const message = device
    ? `This account has several devices called "${plain(name)}"`
    : `This account has no device called "${plain(name)}"`;
  const hint = device ? 'Use its ID instead:' : 'Its devices:';
  const none =
    'The account has no devices, or this board cannot replace them. Enroll without --replace.';
  throw new Failure(EXIT.usage, message, lines.length > 0 ? [hint, ...lines].join('\n') : none);
}

interface Choice {
  text: string;
  decision: Decision;
}

/** One choice for each device that may be replaced; the last choice is a new device. */
function choicesOf(known: Circumstances): Choice[] {
  const { devices, recognized, isCopy, nowMs } = known;
  const found = recognized.map(({ device }) => device);
  const choices = (found.length > 0 ? found : devices).map((device) => ({
    text: `Replace ${deviceText(device, nowMs)}: this machine continues it`,
    decision: replacing(device, known),
  }));
  const decision = asNew(known);
  const isShared = decision.kind === 'new' && decision.stay_with !== null;
  const text = isShared
    ? `I use both machines: count only ${isCopy ? 'what is new here' : 'what the other device has not sent'}`
    : 'This is a new device';
  return [...choices, { text, decision }];
}

function questionText(known: Circumstances, choices: readonly Choice[]): string {
  const { devices, recognized, isCopy, nowMs } = known;
  const last = choices.length;
  const numbers = last === 1 ? '1' : `1-${last}`;
  const otherwise = isOpen(known) ? 'Enter to cancel' : `Enter for ${last}`;
  return [
    ...(devices.length > 0 ? ['This account has these devices:'] : []),
    ...deviceLines(devices, recognized, nowMs),
    ...(isCopy ? ['This state folder is a copy of another one.'] : []),
    ...choices.map(({ text }, at) => `  ${at + 1}  ${text}`),
    `What is this machine? [${numbers}, ${otherwise}] `,
  ].join('\n');
}

function undecided({ recognized, isCopy, nowMs }: Circumstances): Failure {
  const [first] = recognized;
  const found = recognized.map(({ device }) => deviceText(device, nowMs)).join(', ');
  const message = first
    ? `This machine seems to be ${found} of your account, so it was not enrolled`
    : 'This state folder is a copy of another one, so this device was not enrolled';
  const name = first ? `"${plain(first.device.label)}"` : 'DEVICE';
  const hint = [
    `If this machine continues that device, add --replace ${name}.`,
    `If you use both machines, add --new: this one then counts only ${isCopy ? 'what is new here' : 'what the other has not sent'}.`,
    'The code is still valid.',
  ].join(' ');
  return new Undecided(EXIT.usage, message, isCopy || first ? hint : null);
}

/** Days with fewer tokens than this may be equal by chance. */
export const MIN_TOKENS = 1000;

/** The tokens of a tool and day in this machine's ledger, up to a time. */
export type SumUntil = (day: string, tool: string, untilMs: number) => number;

export interface Logged {
  sumUntil: SumUntil;
  /** By how many milliseconds this device's clock is ahead of the board's. */
  aheadMs?: number;
}

export interface Recognized {
  device: KnownDeviceAnswer;
  /** Whether its key is in this state folder. */
  hasKey: boolean;
  /** How many of its days match the logs of this machine. */
  days: number;
}

/**
 * The devices whose days match the logs of this machine up to their submission, and the device whose key is here.
 *
 * @param keyOf The device whose key is in the state folder; null if there is none.
 */
export function recognize(
  devices: readonly KnownDeviceAnswer[],
  { keyOf, ...logged }: { keyOf: string | null } & Logged,
): Recognized[] {
  return devices.flatMap((device) => {
    const equal = equalDays(device, logged).filter(({ total }) => total >= MIN_TOKENS);
    const days = new Set(equal.map(({ day }) => day)).size;
    const hasKey = device.id === keyOf;
    return hasKey || days > 0 ? [{ device, hasKey, days }] : [];
  });
}

/** The days and tools of devices that match the logs of this machine, with the times up to which they match. */
export function statedGroups(recognized: readonly Recognized[], logged: Logged): Groups {
  const { aheadMs = 0 } = logged;
  const equal = recognized.flatMap(({ device }) => equalDays(device, logged));
  return mergeGroups(
    equal.map((one) => [dayAndTool(one), Date.parse(one.stated_at) + aheadMs] as const),
  );
}

function equalDays(
  { days }: KnownDeviceAnswer,
  { sumUntil, aheadMs = 0 }: Logged,
): KnownDeviceAnswer['days'] {
  return days.filter(({ day, tool, total, stated_at }) => {
    return total > 0 && sumUntil(day, tool, Date.parse(stated_at) + aheadMs) === total;
  });
}
