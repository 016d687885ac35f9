/** Which devices of an account this machine may be. */
import { dayAndTool } from '#core/domain/counting/counting.ts';
import type { KnownDevice } from '../board/answers.ts';
import { type Groups, mergeGroups } from '../kept/baseline.ts';

/** Fewer tokens than this may be equal by chance. */
export const MIN_TOKENS = 1000;

/** What this machine's ledger holds of a tool's responses of a day, up to an instant, in tokens. */
export type SumUntil = (day: string, tool: string, untilMs: number) => number;

/** What this machine logged. */
export interface Logged {
  sumUntil: SumUntil;
  /** By how much its clock is ahead of the board's. */
  aheadMs?: number;
}

/** A device that this machine may be, and why. */
export interface Recognized {
  device: KnownDevice;
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
  devices: readonly KnownDevice[],
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

function equalDays({ days }: KnownDevice, { sumUntil, aheadMs = 0 }: Logged): KnownDevice['days'] {
  return days.filter(({ day, tool, total, stated_at }) => {
    return total > 0 && sumUntil(day, tool, Date.parse(stated_at) + aheadMs) === total;
  });
}
