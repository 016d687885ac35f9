import type { Peers, PeersQuery } from '#core/contract/peers.ts';
import { whatIsMissing } from '#core/domain/board/board.ts';
import { CLASS_WINDOW } from '#core/domain/metrics/class-tier.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { forEachMetric } from '#core/domain/metrics/metrics.ts';
import { NO_PEERS, findPeers } from '#core/domain/peers/peers.ts';
import { eligibilityIn, withoutStatedDays } from '#core/domain/board/ruleset.ts';
import { standingFrom } from '#core/domain/metrics/standing.ts';
import type { Caller } from '#core/schema/account.ts';
import type { AppContext } from '../context.ts';
import { type Operator, operatorOf } from '../operator/operator.ts';
import type { Publication } from '../publication/read/publication.ts';
import { currentPublication, publicOperator } from '../publication/read/current-publication.ts';
import { ownStandings, readyOwnStandings, whyUnseen } from './your-standing.ts';

/**
 * The peers of an operator who has a page.
 *
 * @throws {DomainError} `not_found` for an operator who is not on the board or has no page.
 */
export function readOperatorPeers(ctx: AppContext, codename: string, query: PeersQuery): Peers {
  const publication = currentPublication(ctx);
  const operator = publicOperator(ctx, codename);
  if (publication.operators.positionOf(codename) === null) {
    throw new DomainError('not_found', `${codename} is not on the board`);
  }
  return peersOf(ctx, publication, operator, query);
}

/** Prepares the data for {@linkcode readOperatorPeers}. Yields to the event loop. */
export async function readyOperatorPeers(ctx: AppContext): Promise<void> {
  await currentPublication(ctx).readyPeers();
}

/** Prepares the data for {@linkcode readPeers}, also of private and hidden operators. Yields to the event loop. */
export async function readyPeers(ctx: AppContext, { operator_id }: Caller): Promise<void> {
  await currentPublication(ctx).readyPeers();
  await readyOwnStandings(ctx, operator_id);
}

/** The caller's peers, also for anonymous callers. */
export function readPeers(ctx: AppContext, { operator_id }: Caller, query: PeersQuery): Peers {
  return peersOf(ctx, currentPublication(ctx), operatorOf(ctx, operator_id), query);
}

function peersOf(
  ctx: AppContext,
  publication: Publication,
  operator: Operator,
  { limit }: PeersQuery,
): Peers {
  const { ruleset, as_of, log_index, generated_at, next_refresh_at, operators } = publication;
  const { codename, public_name } = operator;
  const { field, indexOf } = publication.peers();
  const index = public_name === null ? null : indexOf(public_name);
  return {
    ruleset,
    window: CLASS_WINDOW,
    as_of,
    log_index,
    generated_at,
    next_refresh_at,
    codename,
    class_tier: operators.classOf(public_name),
    reasons: index === null ? reasonsOf(ctx, publication, operator) : [],
    ...(index === null ? NO_PEERS : findPeers(field, index, limit)),
  };
}

function reasonsOf(ctx: AppContext, publication: Publication, operator: Operator) {
  const { public_name } = operator;
  // Without tokens in the window, tokens are what is missing.
  const eligibility = eligibilityIn(withoutStatedDays(ctx.ruleset), CLASS_WINDOW);
  const all = whatIsMissing(NOTHING, 'yield', eligibility);
  if (public_name === null) {
    const { standings } = ownStandings(ctx, publication, operator).read();
    const own = standings.find(({ window }) => window === CLASS_WINDOW);
    return own?.reasons ?? [whyUnseen(operator), ...all];
  }
  const found = publication.window(CLASS_WINDOW).find('yield', public_name);
  return found && 'reasons' in found ? found.reasons : all;
}

const NO_USAGE = {
  input: 0,
  output: 0,
  cache_write: null,
  cache_read: null,
  total: 0,
  active_days: 0,
  effective_days: 0,
};
/** The standing of an operator without tokens in the window. */
const NOTHING = standingFrom(
  { all: NO_USAGE, read: NO_USAGE, read_write: NO_USAGE },
  { intervals: forEachMetric(() => null) },
  0,
);
