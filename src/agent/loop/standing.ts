/** An operator's ranks and notices as of the board's last update. */
import { join } from 'node:path';
import * as z from 'zod';
import { DEFAULT_VIEW } from '#core/domain/board/board-path.ts';
import { badgeMarkdown, operatorPage } from '#core/domain/board/badge.ts';
import { Codename } from '#core/schema/scalars.ts';
import type { MeAnswer, NoticeAnswer, StandingAnswer, ToolStanding } from '../board/answers.ts';
import type { LocalDevice } from '../device.ts';
import { readJson, writePrivate } from '../state/atomic-file.ts';
import type { Identity } from '../state/keystore.ts';
import { keepLastStanding } from '../state/last-standing.ts';
import type { StandingReport } from '../reports.ts';
import { missingText } from '../text/missing.ts';

const Ranks = z.record(z.string(), z.number().nullable());
type Ranks = z.infer<typeof Ranks>;

/**
 * Requests the operator's standing from a board.
 *
 * @throws {Failure} if the request fails.
 */
export async function askStanding(
  device: LocalDevice,
  identity: Identity,
): Promise<StandingReport> {
  return standingHere(device, identity, await device.client.me(identity));
}

/** The standing from a board's response, with the movement since this device's last submission. */
export function standingHere(
  device: LocalDevice,
  identity: Identity,
  me: MeAnswer,
): StandingReport {
  keepForStatusLine(device, identity, me);
  return standingOf(identity.board, me, ranksBefore(device, identity));
}

/** Saves the rank for status lines: in the ranking of the tool used most, if the board has one. */
export function keepForStatusLine(
  { keystore, nowMs }: Pick<LocalDevice, 'keystore' | 'nowMs'>,
  { board }: Identity,
  { standings, tools }: MeAnswer,
): void {
  const lead = tools?.find(({ has_board, standings: own }) => has_board ?? own.length > 0);
  const known = lead?.standings ?? standings;
  const standing = known.find(({ window }) => window === DEFAULT_VIEW.window) ?? known.at(-1);
  if (!standing) return;
  const { window, rank, total, movement } = standing;
  const change = movement?.day ?? null;
  const of = { board, asked_ms: nowMs(), window, tool: lead?.tool ?? null };
  keepLastStanding(keystore.folderOf(board), { ...of, rank, total, change });
}

/**
 * The standing from a board's response.
 *
 * @param before The ranks that were shown after this device's last submission.
 */
export function standingOf(board: string, me: MeAnswer, before: Ranks = {}): StandingReport {
  return {
    codename: me.codename,
    class_tier: me.class_tier ?? null,
    generated_at: me.generated_at,
    next_refresh_at: me.next_refresh_at,
    last_submission_at: me.device?.last_submission_at ?? null,
    counts_from: isPublished(me) ? null : me.next_refresh_at,
    standings: me.standings.map((standing) => windowOf(standing, rankIn(before, standing.window))),
    tools: (me.tools ?? []).map((ofTool) => toolOf(ofTool, before)),
    ...placesOf(board, me),
    shared: sharedIn(me),
    notices: (me.notices ?? []).map(noticeOf),
  };
}

function sharedIn({ shared }: MeAnswer): StandingReport['shared'] {
  if (!shared) return null;
  const { records, tokens, in_part, days } = shared;
  return { records, tokens, in_part: in_part ?? null, days };
}

function noticeOf({ kind, submission, reason, checks, advice }: NoticeAnswer) {
  return {
    kind,
    submission: submission ?? null,
    reason: reason ?? null,
    details: (checks ?? []).map(({ text }) => text),
    advice: advice ?? null,
  };
}

/** Saves the ranks shown after a submission, to compare the next ones with. */
export function rememberStanding(
  { keystore }: Pick<LocalDevice, 'keystore'>,
  { board }: Identity,
  { standings, tools }: StandingReport,
): void {
  const byTool = tools.flatMap((ofTool) =>
    ofTool.standings.map((standing) => [rankKey(standing, ofTool.tool), standing.rank]),
  );
  const ranks = [...standings.map(({ window, rank }) => [window, rank]), ...byTool];
  writePrivate(ranksPath(keystore.folderOf(board)), JSON.stringify(Object.fromEntries(ranks)));
}

function ranksBefore({ keystore }: LocalDevice, { board }: Identity): Ranks {
  return readJson(ranksPath(keystore.folderOf(board)), Ranks) ?? {};
}

function ranksPath(folder: string): string {
  return join(folder, 'ranks.json');
}

function isPublished({ device, generated_at }: MeAnswer): boolean {
  const last = device?.last_submission_at ?? null;
  return last === null || Date.parse(last) <= Date.parse(generated_at);
}

function toolOf(
  { tool, has_board, class_tier, standings }: ToolStanding,
  before: Ranks,
): StandingReport['tools'][number] {
  return {
    tool,
    has_board: has_board ?? standings.length > 0,
    class_tier: class_tier ?? null,
    standings: standings.map((standing) => {
      return windowOf(standing, rankIn(before, rankKey(standing, tool)));
    }),
  };
}

function rankIn(before: Ranks, key: string): number | null {
  return Object.hasOwn(before, key) ? (before[key] ?? null) : null;
}

function rankKey({ window }: { window: string }, tool: string): string {
  return `${window} ${tool}`;
}

/** @param earlier The rank that was shown before; null if there was none. */
function windowOf(
  standing: StandingAnswer,
  earlier: number | null,
): StandingReport['standings'][number] {
  const { window, metrics, rank, rank_range, movement, total, reasons } = standing;
  return {
    window,
    yield: metrics.yield,
    rank,
    rank_range: rank_range ?? null,
    movement: {
      day: movement?.day ?? null,
      submission: rank === null || earlier === null ? null : earlier - rank,
    },
    total,
    reasons: reasons.map((reason) => {
      const { code, required = null, actual = null } = reason;
      return { code, required, actual, text: missingText(reason) };
    }),
  };
}

/** The page and badge; null for operators who are anonymous or private, and for an invalid codename. */
function placesOf(board: string, { codename, privacy_mode }: MeAnswer) {
  const isListed = privacy_mode !== 'anonymous' && privacy_mode !== 'private';
  if (!isListed || !Codename.safeParse(codename).success)
    return { page: null, badge_markdown: null };
  return { page: operatorPage(board, codename), badge_markdown: badgeMarkdown(board, codename) };
}
