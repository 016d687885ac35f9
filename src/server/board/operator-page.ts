import { PeersQuery } from '#core/contract/peers.ts';
import { SubmissionsQuery } from '#core/contract/submissions.ts';
import { type DomainError, refusalAmong } from '#core/domain/text/errors.ts';
import type { OperatorView } from '#core/domain/board/operator-view.ts';
import { DEFAULT_SLICE } from '#core/domain/board/slices.ts';
import { WINDOWS } from '#core/domain/metrics/window.ts';
import type { WindowName } from '#core/schema/board.ts';
import { Codename } from '#core/schema/scalars.ts';
import type { AppContext } from '../context.ts';
import { shownProfile } from '../operator/profile.ts';
import { anotherTurn } from '../process/yield-to-event-loop.ts';
import type { Publication } from '../publication/read/publication.ts';
import { sliceOf } from './board-head.ts';
import { currentPublication } from '../publication/read/current-publication.ts';
import { readDrawnHistory } from './drawn-history.ts';
import { readHallOfSignal } from './hall-of-signal.ts';
import { readOperatorIn } from './operator.ts';
import { readBeside } from './operator-beside.ts';
import { readyOperatorHistory } from './operator-history.ts';
import { readOperatorPeers } from './peers.ts';
import { noOperator, publicOperator } from '../publication/read/public-operator.ts';
import { readSubmissions, readySubmissions } from '../submission/submissions.ts';

type OperatorPage = ReturnType<typeof readOperatorPage>;

/** The page of whom an address names, or why there is none, read in turns of the event loop. */
export async function findOperatorPage(
  ctx: AppContext,
  codename: string,
  view: OperatorView,
): Promise<{ sheet: OperatorPage; refusal: null } | { sheet: null; refusal: DomainError }> {
  try {
    if (!Codename.safeParse(codename).success) throw noOperator(codename);
    await readyOperatorHistory(ctx, codename, view);
    const long = { history: readDrawnHistory(ctx, codename, view) };
    await anotherTurn();
    await readySubmissions(ctx, newestOf(codename));
    const submissions = readSubmissions(ctx, newestOf(codename));
    await anotherTurn();
    const sheet = readOperatorPage(ctx, codename, view, { ...long, submissions });
    return { sheet, refusal: null };
  } catch (error) {
    // Who has no page, and a tool without boards.
    return { sheet: null, refusal: refusalAmong(error, 'not_found', 'query_invalid') };
  }
}

/** How many of its submissions, and of each group of peers, an operator's page shows. */
const SUBMISSIONS = '5';
const PEERS = '3';

/** What takes long to read of a large account. */
interface LongParts {
  history: ReturnType<typeof readDrawnHistory>;
  submissions: ReturnType<typeof readSubmissions>;
}

function newestOf(codename: string): SubmissionsQuery {
  return SubmissionsQuery.parse({ codename, limit: SUBMISSIONS });
}

/**
 * All that an operator's page shows, of the current publication. Who has a page may not stand in it: before
 * the first publication of what was sent, and while all of it is held.
 *
 * @throws {DomainError} `not_found` for who has no page, `query_invalid` for a tool without boards.
 */
export function readOperatorPage(
  ctx: AppContext,
  codename: string,
  view: OperatorView,
  { history, submissions }: LongParts = {
    history: readDrawnHistory(ctx, codename, view),
    submissions: readSubmissions(ctx, newestOf(codename)),
  },
) {
  const publication = currentPublication(ctx);
  const operator = publicOperator(ctx, codename);
  const slice = sliceOf(view, publication.tools);
  const stands = publication.operators.positionOf(codename) !== null;
  const board = publication.window(view.window, slice);
  const { as_of, ruleset, generated_at, next_refresh_at } = publication;
  return {
    codename,
    view,
    as_of,
    ruleset,
    generated_at,
    next_refresh_at,
    profile: shownProfile(ctx, operator),
    ...(stands ? standingOf(ctx, codename, view) : NOTHING_YET),
    ...usedBy(publication, codename),
    elsewhere: windowWithTokens(publication, codename, view),
    distribution: board.distribution('yield'),
    history,
    records: recordsOf(ctx, codename),
    submissions,
    beside: stands ? readBeside(ctx, codename, view) : null,
  };
}

const NOTHING_YET = {
  class_tier: 'unclassed',
  class_by_tool: [],
  devices: 0,
  standing: null,
  peers: null,
} as const;

function standingOf(ctx: AppContext, codename: string, view: OperatorView) {
  const { class_tier, class_by_tool, devices, standing } = readOperatorIn(ctx, codename, view);
  const peers = readOperatorPeers(ctx, codename, PeersQuery.parse({ limit: PEERS }));
  return {
    class_tier: class_tier ?? ('unclassed' as const),
    class_by_tool: class_by_tool ?? [],
    devices: devices ?? 0,
    standing,
    peers,
  };
}

/** The tools that an operator ever used and that have boards, and whether anything counts that no device signed. */
function usedBy({ tools, window }: Publication, codename: string) {
  const board = window('all_time', { ...DEFAULT_SLICE, trust: 'all' });
  const found = board.find('yield', codename);
  const used = board.toolsOf(codename);
  return {
    tools: tools.filter((tool) => used.includes(tool)),
    has_unsigned: found !== null && found.trust !== 'signed',
  };
}

/** The narrowest window in which an operator has tokens, where the one that is asked for has none. */
function windowWithTokens(
  { window }: Publication,
  codename: string,
  { window: asked, trust, tool }: OperatorView,
): WindowName | null {
  const holds = (name: WindowName) =>
    window(name, { trust, tool }).find('yield', codename) !== null;
  return holds(asked) ? null : (WINDOWS.find(holds) ?? null);
}

/** The records that an operator holds, with what they were set by. */
function recordsOf(ctx: AppContext, codename: string) {
  return readHallOfSignal(ctx).metrics.flatMap(({ metric, record }) =>
    record?.codename === codename ? [{ metric, ...record }] : [],
  );
}
