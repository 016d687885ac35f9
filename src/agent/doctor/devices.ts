/** Checks of this device's identity: copies of its state folder, and devices that count the same days. */
import { totalOf } from '#core/domain/counting/bucket.ts';
import { DAY_MS, utcDay } from '#core/domain/counting/day.ts';
import { groupBy } from '#core/domain/text/group.ts';
import { plain } from '#core/domain/text/terminal-text.ts';
import type { DailyCountAnswer } from '../board/answers.ts';
import type { LocalDevice } from '../device.ts';
import { EXIT, nullIfFailure } from '../failure.ts';
import { type FindingReport, problem, warning } from '../finding.ts';
import { baselineIn } from '../state/baseline.ts';
import type { Identity } from '../state/keystore.ts';
import { COPY_ADVICE, bindingOf, copyText } from '../state/machine.ts';
import { hasTwin } from '../state/board-files.ts';
import { TWIN_ADVICE } from '../loop/recover.ts';
import { MIN_TOKENS, type SumUntil } from '../loop/enroll-decision.ts';
import { outboxOf } from '../loop/submit.ts';
import { counted } from '../text/figures.ts';
import { dayText } from '../text/known-devices.ts';

const COMPARED_DAYS = 60;
/** A device that submitted within this time is in use. */
const LIVING_MS = 7 * DAY_MS;

export function bindingFindings(device: LocalDevice): FindingReport[] {
  const binding = bindingOf(device);
  // A copy that is not enrolled has nothing to send.
  if (binding.state !== 'copied' || !device.keystore.isEnrolled()) return [];
  return [problem(EXIT.notEnrolled, copyText(binding), COPY_ADVICE)];
}

/** Findings from the state folder about this device on a board. */
export function deviceFindings(
  device: LocalDevice,
  identity: Identity,
  lastSubmissionAt: string | null,
): FindingReport[] {
  const { board, device_id } = identity;
  const folder = device.keystore.folderOf(board);
  const baseline = baselineIn(folder, device_id);
  const known = outboxOf(device, identity).lastSubmissionAt();
  const isBehind =
    known !== null && lastSubmissionAt !== null && Date.parse(known) < Date.parse(lastSubmissionAt);
  const isTwin = hasTwin(folder, device_id, device.nowMs());
  const behind = `${board} has newer submissions of this device than this state folder`;
  return [
    ...(isTwin
      ? [
          problem(
            EXIT.usage,
            `${behind}, repeatedly. Another machine seems to use the same key`,
            TWIN_ADVICE,
          ),
        ]
      : []),
    ...(isBehind && !isTwin
      ? [
          warning(
            `${behind}, for example because a backup was restored`,
            'Run: opbench submit. It copies the missing counts from the board.',
          ),
        ]
      : []),
    ...(baseline ? [baselineFinding(board, baseline, device.nowMs())] : []),
  ];
}

function baselineFinding(
  board: string,
  { at, stay_with }: { at: string; stay_with: string },
  nowMs: number,
): FindingReport {
  const text = `${board}: this device counts only what is new since ${dayText(at, nowMs)}. Earlier days stay with ${stay_with}`;
  const advice = `This is right if you use both. If this machine continues the other device: opbench enroll CODE --replace DEVICE.`;
  return warning(text, advice);
}

/** Other devices of the account that sent days that are in the logs of this machine. */
export async function overlapFindings(
  { client, keystore, nowMs }: LocalDevice,
  identity: Identity,
  sumUntil: SumUntil,
): Promise<FindingReport[]> {
  const { board, device_id } = identity;
  const from = utcDay(nowMs() - COMPARED_DAYS * DAY_MS);
  // If this request fails, so did the one for the key, which is reported.
  const counts = (await client.counts(identity, { from }).catch(nullIfFailure)) ?? [];
  const byDevice = groupBy(counts, ({ device }) => device);
  const own = byDevice.get(device_id) ?? [];
  byDevice.delete(device_id);
  // A finding already says that earlier days stay with the other device.
  const isShared = baselineIn(keystore.folderOf(board), device_id) !== null;
  return [...byDevice.values()].flatMap((other) => {
    return overlapOf(board, { own, other, sumUntil, isShared, nowMs: nowMs() });
  });
}

interface Compared {
  own: readonly DailyCountAnswer[];
  other: readonly DailyCountAnswer[];
  sumUntil: SumUntil;
  /** Whether earlier days stay with another device. */
  isShared: boolean;
  nowMs: number;
}

function overlapOf(
  board: string,
  { own, other, sumUntil, isShared, nowMs }: Compared,
): FindingReport[] {
  const ownDays = groupBy(own, keyOf);
  const equal = [...groupBy(other, keyOf).values()].filter((day) => isLoggedHere(day, sumUntil));
  const [first] = other;
  if (first === undefined || equal.length === 0) return [];
  const doubled = equal.filter((day) => {
    return isDoubled(day, day[0] ? (ownDays.get(keyOf(day[0])) ?? []) : [], sumUntil);
  });
  const seen = latestOf(other);
  const who = `"${plain(first.label)}" (last seen ${dayText(seen, nowMs)})`;
  if (doubled.length > 0) {
    const days = counted(daysIn(doubled), 'day');
    const text = `${board}: ${days} counted twice. ${who} seems to be this machine before its state folder was lost`;
    const advice = `Get a code from "Add a device" in the board's settings, then: opbench enroll CODE --replace "${plain(first.label)}".`;
    return [problem(EXIT.usage, text, advice)];
  }
  if (isShared || Date.parse(seen) < nowMs - LIVING_MS) return [];
  const text = `${board}: ${who} also sent ${counted(daysIn(equal), 'day')} that are in the logs here. They count once`;
  return [warning(text, 'You do not have to do anything, for example if you sync the log folder.')];
}

function keyOf({ day, tool }: DailyCountAnswer): string {
  return `${day}\n${tool}`;
}

/** Whether a device's day equals the logs of this machine up to the time of its submission. */
function isLoggedHere(day: readonly DailyCountAnswer[], sumUntil: SumUntil): boolean {
  const [first] = day;
  const total = sumOf(day);
  if (first === undefined || total < MIN_TOKENS) return false;
  return sumUntil(first.day, first.tool, Date.parse(latestOf(day))) === total;
}

/** Whether both devices together count more of a day than this machine logged. */
function isDoubled(
  other: readonly DailyCountAnswer[],
  own: readonly DailyCountAnswer[],
  sumUntil: SumUntil,
): boolean {
  const [first] = own;
  if (first === undefined) return false;
  const both = [...own, ...other].reduce((sum, { counted: part }) => sum + totalOf(part), 0);
  return both > sumUntil(first.day, first.tool, Number.POSITIVE_INFINITY);
}

function sumOf(counts: readonly DailyCountAnswer[]): number {
  return counts.reduce((sum, count) => sum + totalOf(count), 0);
}

function latestOf(counts: readonly DailyCountAnswer[]): string {
  return counts.reduce((last, { stated_at }) => (stated_at > last ? stated_at : last), '');
}

function daysIn(days: readonly (readonly DailyCountAnswer[])[]): number {
  return new Set(days.flatMap(([first]) => first?.day ?? [])).size;
}
