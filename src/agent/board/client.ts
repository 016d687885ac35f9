import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import {
  type EnrollmentRequest,
  enrollDevice,
  listKnownDevices,
  revokeDevice,
} from '#core/contract/devices.ts';
import { listCounts } from '#core/contract/counts.ts';
import { getLogConsistency, getLogProof } from '#core/contract/log-proofs.ts';
import { getBoardKeys, getLog } from '#core/contract/log.ts';
import { getImprovements } from '#core/contract/improvements.ts';
import { PAGE_LIMIT } from '#core/contract/limits.ts';
import { getLeaderboard } from '#core/contract/leaderboard.ts';
import { getMe } from '#core/contract/me.ts';
import { getMetricLeaders } from '#core/contract/metrics.ts';
import { getPeers } from '#core/contract/peers.ts';
import { submitSnapshot } from '#core/contract/snapshots.ts';
import { restoreSubmission, withdrawSubmission } from '#core/contract/submissions.ts';
import { signDeviceToken } from '#core/domain/signing/device-token.ts';
import { ENVELOPE_MEDIA_TYPE } from '#core/schema/snapshot.ts';
import { MAX_BUCKETS } from '#core/schema/usage.ts';
import { EXIT, Failure, Refusal } from '../failure.ts';
import { jsonAs } from '../json-as.ts';
import { type Identity, signingKey } from '../state/keystore.ts';
import {
  BoardKeysAnswer,
  EnrollmentAnswer,
  type KnownDeviceAnswer,
  KnownDevicesAnswer,
  LeadersAnswer,
  LogAnswer,
  MeAnswer,
  ReceiptAnswer,
  RevokeAnswer,
  SubmissionAnswer,
  CountsAnswer,
  type DailyCountAnswer,
} from './answers.ts';
import { ImprovementsAnswer, PeersAnswer } from './contract-answers.ts';
import { type Fetch, Wire } from './wire.ts';

export type { Fetch } from './wire.ts';

/** Shorter than for other requests, because the check of the log follows work that is already done. */
const LOG_TIMEOUT_MS = 10_000;

/** Requests to boards. Each response is validated as far as this program reads it. */
export class Client {
  readonly #wire: Wire;
  readonly #nowMs: () => number;
  readonly #identityOf: (board: string) => Identity | null;

  /** @param identityOf This device's identity on a board, for boards that only members can read. */
  constructor(
    fetch: Fetch,
    nowMs: () => number,
    identityOf: (board: string) => Identity | null = () => null,
  ) {
    this.#wire = new Wire(fetch, nowMs);
    this.#nowMs = nowMs;
    this.#identityOf = identityOf;
  }

  enroll(board: string, request: EnrollmentRequest) {
    return this.#post(board + enrollDevice.path, EnrollmentAnswer, JSON.stringify(request));
  }

  /**
   * The devices of the account that created a code. The code stays valid.
   *
   * @returns Null if the board is too old to list them.
   */
  async knownDevices(board: string, code: string): Promise<KnownDeviceAnswer[] | null> {
    const asked = this.#post(
      board + listKnownDevices.path,
      KnownDevicesAnswer,
      JSON.stringify({ code }),
    );
    return (await asked.catch(nullIfUnknown))?.devices ?? null;
  }

  submit(board: string, envelope: string): Promise<ReceiptAnswer> {
    return this.#post(board + submitSnapshot.path, ReceiptAnswer, envelope, ENVELOPE_MEDIA_TYPE);
  }

  async me(identity: Identity): Promise<MeAnswer> {
    return this.#callAs(identity, 'GET', getMe.path, MeAnswer);
  }

  /**
   * The current daily counts of the account's devices, as each device stated them, by day.
   *
   * @param query Limits the device and the days.
   * @returns Null if the board is too old to list them.
   * @throws {Failure} if the request fails.
   */
  async counts(
    identity: Identity,
    query: { device?: string; from?: string; to?: string } = {},
  ): Promise<DailyCountAnswer[] | null> {
    const counts: DailyCountAnswer[] = [];
    let cursor: string | null = null;
    do {
      const page: Record<string, string> = { ...query, limit: String(PAGE_LIMIT.keyed) };
      if (cursor !== null) page['cursor'] = cursor;
      const asked = this.#callAs(identity, 'GET', listCounts.path, CountsAnswer, page);
      const answer: z.infer<typeof CountsAnswer> | null = await asked.catch(nullIfUnknown);
      if (answer === null) return null;
      counts.push(...answer.entries);
      cursor = answer.entries.length > 0 ? answer.next_cursor : null;
    } while (cursor !== null && counts.length < MAX_BUCKETS);
    return counts;
  }

  peers(identity: Identity, query: Record<string, string>) {
    return this.#callAs(identity, 'GET', getPeers.path, PeersAnswer, query);
  }

  improvements(identity: Identity, query: Record<string, string>) {
    return this.#callAs(identity, 'GET', getImprovements.path, ImprovementsAnswer, query);
  }

  leaders(board: string, window: string, tool?: string): Promise<LeadersAnswer> {
    const query = new URLSearchParams({ window, ...(tool !== undefined && { tool }) });
    return this.#read(`${board}${getMetricLeaders.path}?${query}`, LeadersAnswer);
  }

  /** A page of a board, validated with the caller's schema. */
  leaderboard<Reply extends z.ZodType>(
    board: string,
    choice: Record<string, string>,
    reply: Reply,
  ): Promise<z.output<Reply>> {
    const query = new URLSearchParams(choice);
    return this.#read(`${board}${getLeaderboard.path}?${query}`, reply);
  }

  log(board: string, since: number): Promise<LogAnswer> {
    const query = new URLSearchParams({ since: String(since), limit: String(PAGE_LIMIT.max) });
    return this.#read(`${board}${getLog.path}?${query}`, LogAnswer);
  }

  boardKeys(board: string) {
    return this.#read(board + getBoardKeys.path, BoardKeysAnswer);
  }

  /**
   * The proof that the log contains an entry.
   *
   * @throws {Failure} if the board does not send it.
   */
  logProof(board: string, log_index: number, isCosigned = false): Promise<string> {
    const choice = isCosigned ? '&cosigned=true' : '';
    return this.text(`${board}${getLogProof.path}?log_index=${log_index}${choice}`);
  }

  /**
   * The proof that the log extends a tree of some size.
   *
   * @throws {Failure} if the board does not send it.
   */
  logConsistency(board: string, from: number): Promise<string> {
    return this.text(`${board}${getLogConsistency.path}?from=${from}`);
  }

  /**
   * A text of the board, such as its checkpoint.
   *
   * @throws {Failure} if the board does not send it.
   */
  text(url: string): Promise<string> {
    return this.#asReader(url, async (init) => {
      const { text } = await this.#wire.ask(url, init, LOG_TIMEOUT_MS);
      return text;
    });
  }

  /**
   * A file of the board, as a stream.
   *
   * @throws {Failure} if the board does not send it. Reading the stream may fail too.
   */
  async file(url: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    return (await this.#open(url, { signal })).body as ReadableStream<Uint8Array>;
  }

  /**
   * Like {@linkcode file}, unless the file has not changed.
   *
   * @param known The tag of the version that the caller has; null for none.
   * @returns Null if that is the current version.
   */
  async changedFile(
    url: string,
    signal: AbortSignal,
    known: string | null,
  ): Promise<{ body: ReadableStream<Uint8Array>; etag: string | null } | null> {
    const headers = known === null ? [] : [['If-None-Match', known] as const];
    const { status, body, headers: answered } = await this.#open(url, { signal }, headers);
    if (status === 304) return null;
    return { body: body as ReadableStream<Uint8Array>, etag: answered.get('etag') };
  }

  #open(url: string, init: RequestInit, added: readonly (readonly [string, string])[] = []) {
    return this.#asReader(url, (asked) => {
      const headers = new Headers(asked.headers);
      for (const [name, value] of added) headers.set(name, value);
      return this.#wire.open(url, { ...init, headers });
    });
  }

  /**
   * Asks a board for its time. Returns by how many milliseconds this device's clock is ahead.
   *
   * @throws {Failure} if the board cannot be reached or sends no time.
   */
  async clock(board: string): Promise<number> {
    await this.boardKeys(board);
    const skewMs = this.skewMs(board);
    if (skewMs !== null) return skewMs;
    throw new Failure(EXIT.network, `${board} sends no time`);
  }

  /** By how many milliseconds this device's clock is ahead, from the board's last response; null if unknown. */
  skewMs(board: string): number | null {
    return this.#wire.skewMs(board);
  }

  changeSubmission(
    identity: Identity,
    id: string,
    kind: 'restore' | 'withdraw',
  ): Promise<SubmissionAnswer> {
    const route = kind === 'restore' ? restoreSubmission : withdrawSubmission;
    return this.#callAs(identity, 'POST', route.path.replace('{id}', id), SubmissionAnswer);
  }

  async revoke(identity: Identity): Promise<void> {
    const path = revokeDevice.path.replace('{id}', identity.device_id);
    await this.#callAs(identity, 'DELETE', path, RevokeAnswer);
  }

  #post<Reply extends z.ZodType>(
    url: string,
    reply: Reply,
    body: string,
    type = 'application/json',
  ): Promise<z.output<Reply>> {
    return this.#call(url, reply, { method: 'POST', headers: { 'Content-Type': type }, body });
  }

  async #callAs<Reply extends z.ZodType>(
    identity: Identity,
    method: string,
    path: string,
    reply: Reply,
    query: Record<string, string> = {},
  ): Promise<z.output<Reply>> {
    const headers = await this.#authorization(identity, method, path);
    const asked = Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : '';
    return this.#call(identity.board + path + asked, reply, { method, headers });
  }

  async #authorization(identity: Identity, method: string, path: string) {
    const request = { audience: identity.board, method, path };
    const token = await signDeviceToken(request, signingKey(identity), this.#nowMs(), randomUUID());
    return { Authorization: `Bearer ${token}` };
  }

  #read<Reply extends z.ZodType>(url: string, reply: Reply): Promise<z.output<Reply>> {
    return this.#asReader(url, (init) => this.#call(url, reply, init));
  }

  /** Asks without a credential, which most boards do not need for reading, and then with this device's token. */
  async #asReader<Result>(
    url: string,
    ask: (init: RequestInit) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await ask({});
    } catch (error) {
      const isForMembers = error instanceof Refusal && error.status === 401;
      const { origin, pathname } = new URL(url);
      const identity = isForMembers ? this.#identityOf(origin) : null;
      if (!identity) throw error;
      return ask({ headers: await this.#authorization(identity, 'GET', pathname) });
    }
  }

  async #call<Reply extends z.ZodType>(
    url: string,
    reply: Reply,
    init: RequestInit,
  ): Promise<z.output<Reply>> {
    const { text } = await this.#wire.ask(url, init);
    const answer = jsonAs(reply, text);
    if (answer !== null) return answer;
    const { origin } = new URL(url);
    const message = `${origin} did not answer like an Opbench board`;
    const hint = 'Check the address. If it is right, run: opbench update';
    const failure = new Failure(EXIT.network, message, hint);
    failure.isUnheard = !text.trimStart().startsWith('{');
    throw failure;
  }
}

/** Returns null if the board is too old to know the operation. */
function nullIfUnknown(error: unknown): null {
  if (error instanceof Refusal && [404, 405].includes(error.status)) return null;
  throw error;
}
