/** What doctor finds out about who this device is: copies of it, and devices that count the same. */
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
/** A device that stated something within so many days is in use. */
const LIVING_MS = 7 * DAY_MS;

export function bindingFindings(device: LocalDevice): FindingReport[] {
  const binding = bindingOf(device);
  // A copy of what is enrolled nowhere has nothing to send.
  if (binding.state !== 'copied' || !device.keystore.isEnrolled()) return [];
  return [problem(EXIT.notEnrolled, copyText(binding), COPY_ADVICE)];
}

/** What this machine alone knows of its device on a board. */
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
  const behind = `${board}: the board has newer submissions of this device than this state folder`;
  return [
    ...(isTwin
      ? [
          problem(
            EXIT.usage,
            `${behind}, time and again: another machine signs with its key`,
            TWIN_ADVICE,
          ),
        ]
      : []),
    ...(isBehind && !isTwin
      ? [
          warning(
            `${behind}, as after a restored backup`,
            'Run: opbench submit. It takes over what the board has.',
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
  const text = `${board}: this device counts what is new since ${dayText(at, nowMs)}; earlier days stay with ${stay_with}`;
  const advice = `That is right if both are in use. If this machine continues another device: opbench enroll CODE --replace DEVICE.`;
  return warning(text, advice);
}

/** Other devices of the account that state what this machine logged. */
export async function overlapFindings(
  { client, keystore, nowMs }: LocalDevice,
  identity: Identity,
  sumUntil: SumUntil,
): Promise<FindingReport[]> {
  const { board, device_id } = identity;
  const from = utcDay(nowMs() - COMPARED_DAYS * DAY_MS);
  // Where they cannot be asked for, asking for the key's state has failed for the same reason.
  const counts = (await client.counts(identity, { from }).catch(nullIfFailure)) ?? [];
  const byDevice = groupBy(counts, ({ device }) => device);
  const own = byDevice.get(device_id) ?? [];
  byDevice.delete(device_id);
  // That earlier days stay with the other device is said already.
  const isShared = baselineIn(keystore.folderOf(board), device_id) !== null;
  return [...byDevice.values()].flatMap((other) => {
    return overlapOf(board, { own, other, sumUntil, isShared, nowMs: nowMs() });
  });
}

interface Compared {
  own: readonly DailyCountAnswer[];
  other: readonly DailyCountAnswer[];
  sumUntil: SumUntil;
  /** Whether this device leaves earlier days to another one. */
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
    const text = `${board}: ${who} seems to be this machine before its state was lost; ${days} counted twice`;
    const advice = `Get a code in the settings of the board ("New key"), then: opbench enroll CODE --replace "${plain(first.label)}".`;
    return [problem(EXIT.usage, text, advice)];
  }
  if (isShared || Date.parse(seen) < nowMs - LIVING_MS) return [];
  const text = `${board}: ${who} states ${counted(daysIn(equal), 'day')} that this machine logged, too; they count once`;
  return [warning(text, 'Nothing has to be done, for example if a folder of logs is synced.')];
}

function keyOf({ day, tool }: DailyCountAnswer): string {
  return `${day}\n${tool}`;
}

/** Whether a device's day is what this machine logged until it was stated. */
function isLoggedHere(day: readonly DailyCountAnswer[], sumUntil: SumUntil): boolean {
  const [first] = day;
  const total = sumOf(day);
  if (first === undefined || total < MIN_TOKENS) return false;
  return sumUntil(first.day, first.tool, Date.parse(latestOf(day))) === total;
}

/** Whether more of a day counts on both devices than this machine logged. */
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
