/** Decides as what a device enrolls: as a new one, or in the place of another one of the account. */
import { plain } from '#core/domain/text/terminal-text.ts';
import { dayAndTool } from '#core/domain/counting/counting.ts';
import type { KnownDeviceAnswer } from '../board/answers.ts';
import { EXIT, Failure } from '../failure.ts';
import type { Decision } from '../state/board-files.ts';
import { deviceLines, deviceText } from '../text/known-devices.ts';
import { type Groups, mergeGroups } from '../state/baseline.ts';

export interface Circumstances {
  /** The devices of the account; empty if the board does not list them. */
  devices: readonly KnownDeviceAnswer[];
  recognized: readonly Recognized[];
  /** The device of the account that this installation already is, with its own key or before it logged out. */
  own: KnownDeviceAnswer | null;
  isCopy: boolean;
  nowMs: number;
}

export interface EnrollFlags {
  /** The label or ID of the device to replace. */
  replace: string | undefined;
  isNew: boolean;
}

/** Asks a person, and returns what was typed; null where there is nobody to ask. */
export type Ask = (question: string) => Promise<string | null>;

class Undecided extends Failure {
  override readonly code = 'device_recognized';
}

/**
 * Decides by the flags, else by what is plain, else by asking.
 *
 * @throws {Failure} `usage` if nobody can be asked, or nothing was chosen.
 */
export async function decide(
  known: Circumstances,
  { replace, isNew }: EnrollFlags,
  ask: Ask,
): Promise<Decision> {
  if (replace !== undefined && isNew) {
    throw new Failure(EXIT.usage, 'enroll takes --replace or --new, not both');
  }
  if (replace !== undefined) return replacing(deviceNamed(replace, known), known);
  if (isNew) return asNew(known);
  const { own, isCopy, devices } = known;
  if (own !== null && !isCopy) return { kind: 'plain' };
  if (devices.length === 0 && !isCopy) return { kind: 'plain' };
  return asking(known, ask);
}

/** Whether something has to be decided: a new device would count what another one counts. */
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
  const message = answer === '' ? 'Nothing was chosen' : `"${plain(answer)}" is not one of them`;
  const hint = 'The code can still be used.';
  throw new Failure(EXIT.usage, `${message}, so nothing was enrolled`, hint);
}

function replacing(device: KnownDeviceAnswer, { own, isCopy }: Circumstances): Decision {
  // The device that this installation is goes on as it is.
  if (device.id === own?.id && !isCopy) return { kind: 'plain' };
  return { kind: 'replace', replaced: { id: device.id, label: device.label } };
}

/** Who keeps the days until now: those who have them already. */
function asNew({ recognized, isCopy, own }: Circumstances): Decision {
  const labels = recognized.map(({ device }) => `"${plain(device.label)}"`);
  const unnamed = isCopy ? 'the device that this state folder was copied from' : null;
  const stay_with = labels.length > 0 ? labels.join(' and ') : unnamed;
  return { kind: 'new', stay_with, is_twin: own !== null };
}

/** @throws {Failure} `usage` if no device, or more than one, has that name. */
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
    ? `Several devices of this account are called "${plain(name)}"`
    : `This account has no device "${plain(name)}"`;
  const hint = device ? 'Name one by its ID:' : 'It has these devices:';
  const none = 'It has no device, or this board cannot replace one: enroll without --replace.';
  throw new Failure(EXIT.usage, message, lines.length > 0 ? [hint, ...lines].join('\n') : none);
}

interface Choice {
  text: string;
  decision: Decision;
}

/** The devices that may be replaced, and last to be a new one. */
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
    ? `Both machines are in use: count only ${isCopy ? 'what is new here' : 'what the other has not sent'}`
    : 'This is a new device';
  return [...choices, { text, decision }];
}

function questionText(known: Circumstances, choices: readonly Choice[]): string {
  const { devices, recognized, isCopy, nowMs } = known;
  const last = choices.length;
  const numbers = last === 1 ? '1' : `1-${last}`;
  const otherwise = isOpen(known) ? 'Enter to stop' : `Enter for ${last}`;
  return [
    ...(devices.length > 0 ? ['This account has these devices:'] : []),
    ...deviceLines(devices, recognized, nowMs),
    ...(isCopy ? ['The state folder here is a copy of another one.'] : []),
    ...choices.map(({ text }, at) => `  ${at + 1}  ${text}`),
    `Which one? [${numbers}, ${otherwise}] `,
  ].join('\n');
}

function undecided({ recognized, isCopy, nowMs }: Circumstances): Failure {
  const [first] = recognized;
  const found = recognized.map(({ device }) => deviceText(device, nowMs)).join(', ');
  const message = first
    ? `This machine seems to be ${found} of this account, so nothing was enrolled`
    : 'The state folder is a copy of another one, so nothing was enrolled';
  const name = first ? `"${plain(first.device.label)}"` : 'DEVICE';
  const hint = [
    `If this machine continues it, run again with --replace ${name}.`,
    `If both machines are in use, run again with --new: here only ${isCopy ? 'what is new' : 'what the other has not sent'} counts then.`,
    'The code can still be used.',
  ].join(' ');
  return new Undecided(EXIT.usage, message, isCopy || first ? hint : null);
}

/** Fewer tokens than this may be equal by chance. */
export const MIN_TOKENS = 1000;

/** What this machine's ledger holds of a tool's responses of a day, up to an instant, in tokens. */
export type SumUntil = (day: string, tool: string, untilMs: number) => number;

export interface Logged {
  sumUntil: SumUntil;
  /** By how much its clock is ahead of the board's. */
  aheadMs?: number;
}

export interface Recognized {
  device: KnownDeviceAnswer;
  /** Whether the state folder here holds its key. */
  hasKey: boolean;
  /** How many of its days equal what this machine logged. */
  days: number;
}

/**
 * The devices whose days equal what this machine logged until they were stated, and the one whose
 * key is here.
 *
 * @param keyOf The device whose key the state folder holds; null if it holds none.
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

/** The days and tools of devices that equal what this machine logged, with the instants until which they do. */
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
