/**
 * What days say about working better: those of all devices as the board has them, or those in the
 * logs of this one. An agent asks about its operator, so the board comes first; a person at a shell
 * asks about this machine, and nothing is sent unless a board is named.
 *
 * @module
 */
import { LEAKS } from '#core/domain/peers/leaks.ts';
import type { Improvement } from '#core/schema/improvement.ts';
import type { Progress } from '../command.ts';
import { type Device, identityOf } from '../device.ts';
import { EXIT, Failure } from '../failure.ts';
import type { Identity } from '../kept/keystore.ts';
import type { ScanResult } from '../logs/scan.ts';
import type { SelfImprovement } from '../reports.ts';
import { diagnose } from './diagnose.ts';
import { scanAndKeep } from './scan-device.ts';

/** The days that are looked at if nothing is said. */
export const DEFAULT_DAYS = 90;

export interface ImproveOptions {
  board: string | undefined;
  days: number | undefined;
  /** The most entries; those of the board, or all of the logs, if absent. */
  limit?: number;
  progress?: Progress;
}

/**
 * As an agent asks: the board, unless days are given or this device is enrolled nowhere. With days
 * a board that is named is asked for the medians of the class above.
 *
 * @throws {Failure} if the board cannot be asked, or the logs hold more than can be added up.
 */
export async function improveOperator(
  device: Device,
  { board, days, limit, progress }: ImproveOptions,
): Promise<SelfImprovement> {
  const isAsked = board !== undefined || (days === undefined && isEnrolled(device));
  const identity = isAsked ? identityOf(device, board) : null;
  if (identity && days === undefined) return improveByBoard(device, identity, limit);
  const { buckets } = await scanAndKeep(device, progress);
  const asked = { buckets, days: days ?? DEFAULT_DAYS, board: identity?.board ?? null };
  const diagnosis = await diagnose(device, asked);
  return { ...diagnosis, entries: diagnosis.entries.slice(0, limit) };
}

/** Who hears what could not be read, and why the board could not be asked. */
export interface ImproveListener {
  scanned: (result: ScanResult) => void;
  failed: (failure: Failure) => void;
}

/**
 * As a person asks: the logs of this device, compared with the medians of a board only if it is
 * named. Without its board a diagnosis is still worth having.
 *
 * @throws {Failure} if the logs hold more than can be added up.
 */
export async function improveMachine(
  device: Device,
  { board, days = DEFAULT_DAYS, progress }: ImproveOptions,
  { scanned, failed }: ImproveListener,
): Promise<SelfImprovement> {
  const result = await scanAndKeep(device, progress);
  scanned(result);
  const { buckets } = result;
  try {
    return await diagnose(device, { buckets, days, board: board ?? null });
  } catch (error) {
    if (!(error instanceof Failure) || error.exitCode === EXIT.usage) throw error;
    failed(error);
    return diagnose(device, { buckets, days, board: null });
  }
}

function isEnrolled({ keystore }: Device): boolean {
  const { sound, damaged } = keystore.identities();
  return sound.length + damaged.length > 0;
}

async function improveByBoard(
  { client }: Device,
  identity: Identity,
  limit: number | undefined,
): Promise<SelfImprovement> {
  const query = limit === undefined ? {} : { limit: String(limit) };
  const answer = await client.improvements(identity, query);
  const entries = answer.entries.map(inOwnWords);
  return { source: 'board', board: identity.board, ...answer, entries };
}

/** What a habit is and costs is known here: no board need be believed about it. */
function inOwnWords(entry: Improvement): Improvement {
  const known = LEAKS.find(({ name }) => name === entry.leak);
  return known ? { ...entry, habit: known.habit, trade_off: known.trade_off } : entry;
}
