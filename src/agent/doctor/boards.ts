import { isDeepStrictEqual } from 'node:util';
import { DAY_MS } from '#core/domain/counting/day.ts';
import type { MeAnswer } from '../board/answers.ts';
import { skewText } from '../board/failure.ts';
import { type LocalDevice, enrollHint, type Place } from '../device.ts';
import { EXIT, Failure, Refusal, nullIfFailure, orNull } from '../failure.ts';
import { type FindingReport, problem, warning } from '../finding.ts';
import { COPY_ADVICE, bindingOf } from '../state/machine.ts';
import type { SumUntil } from '../loop/enroll-decision.ts';
import { logReport } from '../log-check/log-report.ts';
import type { PublicLogReport } from '../reports.ts';
import type { Identity, Keystore } from '../state/keystore.ts';
import { outboxOf, pendingIn } from '../loop/submit.ts';
import { daysOf, knownWithdrawn } from '../loop/withdraw.ts';
import { askRelease } from '../board/release.ts';
import type { DeviceBoardReport } from '../device-reports.ts';
import { counted, momentText } from '../text/figures.ts';
import { SEND_WITHDRAWN, withdrawnText } from '../text/known-devices.ts';
import { HOME_BOARD, VERSION, isOlder } from '../version.ts';
import { readSetting } from '../auto/switch.ts';
import { plainProxyOnly, proxyFor } from '../proxy.ts';
import { savedProxy, proxyVariables } from '../state/saved-proxy.ts';
import { deviceFindings, overlapFindings } from './devices.ts';

/** At this difference, boards reject tokens of this device. */
const SKEW_PROBLEM_MS = 60_000;
const SKEW_WARNING_MS = 20_000;

/** Without a successful check of the public log for this long, there is a warning. */
const UNCHECKED_MS = 7 * DAY_MS;

interface BoardFindings {
  boards: DeviceBoardReport[];
  findings: FindingReport[];
}

interface Examined {
  board?: string | undefined;
  offline: boolean;
  sumUntil: SumUntil;
}

/** Checks every board where this device is enrolled, or one. Does not contact them if `offline`. */
export async function examineBoards(
  device: LocalDevice,
  { board, offline, sumUntil }: Examined,
): Promise<BoardFindings> {
  const { sound, damaged } = device.keystore.identities();
  const findings: FindingReport[] = [
    ...damaged.map(({ message, hint }) => problem(EXIT.usage, message, hint ?? '')),
    ...pendingEnrolments(device),
  ];
  const boards: DeviceBoardReport[] = [];
  for (const [address, identity] of chosen(sound, board)) {
    const report = reportOf(device, address, identity);
    report.proxy = await shownProxy(device, address);
    boards.push(report);
    if (report.pending.snapshots > 0) findings.push(pendingFinding(report));
    if (report.log) findings.push(...publicLogFindings(device, address, report.log));
    if (!offline) findings.push(...(await ask(device, report, identity, sumUntil)));
  }
  if (sound.length + damaged.length === 0) {
    findings.push(warning('This device is not enrolled on any board', enrollHint(board)));
  }
  findings.push(...plainFindings(device, boards), ...timerFindings(device));
  return { boards, findings };
}

function chosen(
  identities: readonly Identity[],
  board: string | undefined,
): [string, Identity | null][] {
  const known = identities.map((identity): [string, Identity] => [identity.board, identity]);
  if (board !== undefined) {
    return [[board, identities.find((identity) => identity.board === board) ?? null]];
  }
  return known.length === 0 && HOME_BOARD !== null ? [[HOME_BOARD, null]] : known;
}

function reportOf(
  device: LocalDevice,
  board: string,
  identity: Identity | null,
): DeviceBoardReport {
  return {
    board,
    name: identity?.board_name ?? null,
    codename: identity?.codename ?? null,
    keyid: identity?.keyid ?? null,
    key: null,
    reachable: null,
    version: null,
    clock_skew_ms: null,
    last_submission_at: null,
    pending: identity ? pendingIn(outboxOf(device, identity), board) : { snapshots: 0, records: 0 },
    proxy: null,
    log: identity && logReport(device, identity),
  };
}

async function ask(
  device: LocalDevice,
  report: DeviceBoardReport,
  identity: Identity | null,
  sumUntil: SumUntil,
): Promise<FindingReport[]> {
  const { client } = device;
  try {
    report.clock_skew_ms = await client.clock(report.board);
    report.reachable = true;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    report.reachable = false;
    const advice = error.hint ?? 'Check your network, or try again later.';
    return [problem(error.exitCode, error.message, advice)];
  }
  return [
    ...skewFindings(report.board, report.clock_skew_ms),
    ...(await versionFindings(device, report)),
    ...(identity ? await keyFindings(device, report, identity) : []),
    ...(identity && report.key === 'fine' ? await overlapFindings(device, identity, sumUntil) : []),
  ];
}

function skewFindings(board: string, skewMs: number): FindingReport[] {
  if (Math.abs(skewMs) < SKEW_WARNING_MS) return [];
  const text = `${board}: ${skewText(skewMs)}`;
  const advice = 'Set the clock of this device, preferably from a time server.';
  const isProblem = Math.abs(skewMs) >= SKEW_PROBLEM_MS;
  return [isProblem ? problem(EXIT.usage, text, advice) : warning(text, advice)];
}

async function versionFindings(
  { client }: LocalDevice,
  report: DeviceBoardReport,
): Promise<FindingReport[]> {
  // Boards before 0.6 do not say.
  report.version = (await askRelease(client, report.board).catch(nullIfFailure))?.version ?? null;
  if (!isOlder(VERSION, report.version)) return [];
  const text = `${report.board} serves opbench ${report.version}; this is ${VERSION}`;
  return [warning(text, 'Run: opbench update')];
}

async function keyFindings(
  device: LocalDevice,
  report: DeviceBoardReport,
  identity: Identity,
): Promise<FindingReport[]> {
  try {
    const me = await device.client.me(identity);
    report.key = 'fine';
    report.codename = me.codename;
    report.last_submission_at = me.device?.last_submission_at ?? null;
    return [
      ...deviceFindings(device, identity, report.last_submission_at),
      ...(await withdrawnFindings(device, identity, me)),
    ];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error instanceof Refusal) report.key = keyStateOf(error);
    const advice = keyAdvice(device, report) ?? error.hint ?? 'Try again later.';
    return [problem(error.exitCode, `${report.board}: ${error.message}`, advice)];
  }
}

function publicLogFindings(
  { nowMs }: LocalDevice,
  board: string,
  { evidence, checked_at }: PublicLogReport,
): FindingReport[] {
  const [folder] = evidence;
  if (folder !== undefined) {
    const text = `${board}: its public log contradicted itself. Evidence: ${folder}`;
    const advice = `Ask the admin. To trust the log again: opbench submit --accept-log --board ${board}`;
    return [problem(EXIT.refused, text, advice)];
  }
  if (checked_at === null || nowMs() - Date.parse(checked_at) < UNCHECKED_MS) return [];
  const text = `${board}: its public log was last checked on ${momentText(checked_at)}`;
  return [warning(text, 'Run: opbench status. If the check fails again, ask the admin.')];
}

/** What to do about a key that the board no longer accepts; null if that is not the problem. */
function keyAdvice(device: LocalDevice, { board, key }: DeviceBoardReport): string | null {
  if (key !== 'revoked' && key !== 'unknown') return null;
  // A new key for the same device would revoke the original's key.
  if (bindingOf(device).state === 'copied') return COPY_ADVICE;
  if (key === 'unknown') return `Run: opbench logout --local --board ${board}, then enroll again.`;
  return `${enrollHint(board)}. It stays the same device. If another machine has replaced it and you use both, add --new. If another machine uses a copy of this state folder, enroll that one with --new.`;
}

async function withdrawnFindings(
  device: LocalDevice,
  identity: Identity,
  me: MeAnswer,
): Promise<FindingReport[]> {
  const keys = await knownWithdrawn(device, { identity, outbox: outboxOf(device, identity) }, me);
  if (!keys || keys.length === 0) return [];
  const text = `${identity.board}: ${withdrawnText(daysOf(keys), device.nowMs())}`;
  return [warning(text, `To send them again: ${SEND_WITHDRAWN}`)];
}

function keyStateOf({ code, status }: Refusal): DeviceBoardReport['key'] {
  if (code === 'key_revoked') return 'revoked';
  if (code === 'key_unknown' || status === 404) return 'unknown';
  return 'refused';
}

function pendingFinding({ board, pending }: DeviceBoardReport): FindingReport {
  const text = `${board} has not answered ${counted(pending.snapshots, 'snapshot')}`;
  return warning(text, 'To send the same bytes again: opbench submit');
}

/** Keys of enrollments that the board has not answered. */
function pendingEnrolments({ keystore }: LocalDevice): FindingReport[] {
  return keystore.pendingBoards().map((board) => {
    const text = `An enrollment on ${board} is unfinished`;
    const isUrl = URL.canParse(board);
    const again = 'Enroll there again with a new code';
    // logout would also erase the other key for the board.
    if (isUrl && hasKey(keystore, board)) return warning(text, `${again}.`);
    const forget = `opbench logout --local --board ${isUrl ? board : 'URL'}`;
    return warning(text, `${again}, or discard it: ${forget}`);
  });
}

/** True also for a damaged key. */
function hasKey(keystore: Keystore, board: string): boolean {
  return orNull(() => keystore.identity(board) !== null) ?? true;
}

type Where = Pick<Place, 'environment'>;

/** The proxy for a board, without credentials. Null if there is none or its variable is invalid. */
async function shownProxy({ environment }: Where, board: string): Promise<string | null> {
  // A request to the board reports an invalid variable.
  return (await proxyFor(board, environment).catch(nullIfFailure))?.shown ?? null;
}

function plainFindings(
  { environment }: Where,
  boards: readonly DeviceBoardReport[],
): FindingReport[] {
  const variable = plainProxyOnly(environment);
  if (variable === null || !boards.some(({ board }) => board.startsWith('https:'))) return [];
  const advice = 'Boards use https. If you need the proxy for that, set HTTPS_PROXY too.';
  return [warning(`No proxy is used: ${variable} is set, but HTTPS_PROXY is not`, advice)];
}

/** Compares only if this shell sets a proxy. Otherwise the timer may have been set up elsewhere. */
function timerFindings({ environment }: Where): FindingReport[] {
  const here = proxyVariables(environment);
  if (readSetting(environment) === null || Object.keys(here).length === 0) return [];
  if (isDeepStrictEqual(savedProxy(environment, 'timer'), here)) return [];
  const advice = 'To use the variables of this shell: opbench auto on';
  return [warning('The timer uses other proxy variables than this shell', advice)];
}
