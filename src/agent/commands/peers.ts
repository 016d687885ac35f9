import { wholeNumber } from '#core/cli/arguments.ts';
import { SHORT_LIMIT, type Peers } from '#core/contract/peers.ts';
import { plain } from '#core/domain/text/terminal-text.ts';
import { readBoardUrl } from '../board/address.ts';
import { atEachBoard } from '../board/each-board.ts';
import { command } from '../command.ts';
import { identitiesOf } from '../device.ts';
import { discoverPeers } from '../loop/peers.ts';
import type { BoardFailure, DiscoveredPeers } from '../reports.ts';
import { failureLines } from '../text/failure.ts';
import { missingText } from '../text/missing.ts';
import { momentText, valueText } from '../text/figures.ts';
import { type Column, tableLines, wrapped } from '../text/table.ts';

export const peers = command({
  help: `opbench peers: compare yourself with similar operators and with those above you

Usage: opbench peers [--board URL] [--limit N] [--json]

  --board URL  only this board; default: every board you are enrolled on
  --limit N    rows in each group; default: 5
  --json       print JSON

Shows three groups for the last 90 days: mentors one or two classes above,
operators of your class, and operators who are strong where you are weaker. For
each operator it shows why their yield differs from yours. To have peers, you
must be ranked over 90 days.

Example: opbench peers --limit 3
`,
  json: `opbench peers --json prints one object:

  boards    array of {board, untrusted, counts_from, ...}: the response of GET
            /api/v1/peers. "untrusted" names the members that contain text of
            other people. "counts_from" is when the board will include your last
            submission; null if it does already.
  failures  array of {board, exit, code, message, hint}
`,
  options: { board: readBoardUrl, limit: wholeNumber(1, SHORT_LIMIT.max) },
  async run({ values: { board, limit = null } }, output, device) {
    const boards: (DiscoveredPeers & { board: string })[] = [];
    const tell = (failure: BoardFailure) => failureLines(failure).forEach(output.note);
    const found = identitiesOf(device, board);
    const { failures, exitCode } = await atEachBoard(found, tell, async (identity) => {
      const answer = await discoverPeers(device, identity, limit);
      boards.push({ board: identity.board, ...answer });
      if (boards.length > 1) output.part('');
      output.part(peersText(answer, identity.board));
    });
    output.result({ boards, failures });
    return exitCode;
  },
});

type Mentors = Peers['mentors'];
type TierPeers = Peers['same_tier'];
type Complements = Peers['complementary'];
type Peer =
  Mentors['entries'][number] | TierPeers['entries'][number] | Complements['entries'][number];

function peersText(peers: Peers & Pick<DiscoveredPeers, 'counts_from'>, board: string): string {
  const { codename, class_tier, as_of, reasons } = peers;
  const tier = class_tier === 'unclassed' ? 'no class yet' : `class ${class_tier}`;
  const name = wrapped(`${codename} on ${board}: ${tier}, 90 days to ${as_of}`, 0);
  const head = [name, ...waitingLines(peers)].join('\n');
  if (reasons.length > 0) return isFirstUpdateDue(peers) ? head : `${head}\n${notRanked(peers)}`;
  const { mentors, same_tier, complementary } = peers;
  const groups = [
    groupText('Mentors: one or two classes above you, working in a similar way', mentors),
    groupText('Your class, with a similar mix of tokens', same_tier),
    complementText(complementary),
  ];
  const hasDeltas = [mentors, same_tier, complementary].some(({ entries }) => entries.length > 0);
  return [head, ...groups, ...(hasDeltas ? [LEGEND] : [])].join('\n\n');
}

function waitingLines({
  counts_from,
  generated_at,
}: Pick<DiscoveredPeers, 'counts_from' | 'generated_at'>): string[] {
  if (counts_from === null) return [];
  const text = `The board has not been updated since your last submission (last update: ${momentText(generated_at)}). Run this again after the next update: ${momentText(counts_from)}.`;
  return [wrapped(text, 2)];
}

/** Whether nothing of the operator is on the board yet, so that a list of missing amounts would mislead. */
function isFirstUpdateDue({
  reasons,
  counts_from,
}: Pick<Peers, 'reasons'> & Pick<DiscoveredPeers, 'counts_from'>): boolean {
  return counts_from !== null && reasons.every(({ actual }) => (actual ?? 0) === 0);
}

const LEGEND = wrapped(
  'reads, output, input: how much each explains of the difference, as a factor. Multiplied, they give the peer\'s yield divided by yours. Above 1, the peer is ahead in it. "-" means that one of you has no such tokens.',
  0,
);

function notRanked({ reasons }: Peers): string {
  const missing = reasons.map((reason) => `  ${missingText(reason)}`);
  return ['To have peers, you must be ranked by yield over 90 days. Missing:', ...missing].join(
    '\n',
  );
}

function groupText(title: string, { detail, entries }: Mentors | TierPeers): string {
  if (detail !== null) return `${title}\n  ${plain(detail)}`;
  const rows = entries.map((peer) => [...nameCells(peer), ...deltaCells(peer), toolsOf(peer)]);
  return [title, ...tableLines([...NAME, ...DELTAS, TOOLS], rows)].join('\n');
}

function complementText({ detail, weakness, entries }: Complements): string {
  const { metric } = weakness ?? {};
  const title = metric
    ? `Stronger where you are weaker: ${metric} (your rank: ${placeText(weakness?.[metric])})`
    : 'Stronger where you are weaker';
  if (detail !== null) return `${title}\n  ${plain(detail)}`;
  const own: Column = { title: metric ?? '', side: 'right' };
  const rows = entries.map((peer) => [
    ...nameCells(peer),
    valueText(peer.conservative),
    ...deltaCells(peer),
    toolsOf(peer),
  ]);
  return [title, ...tableLines([...NAME, own, ...DELTAS, TOOLS], rows)].join('\n');
}

function placeText(place: { rank: number; total: number } | undefined): string {
  return place ? `${valueText(place.rank)} of ${valueText(place.total)}` : '';
}

const NAME: readonly Column[] = [
  { title: 'rank', side: 'right' },
  { title: 'codename', least: 9 },
  { title: 'class' },
  { title: 'yield', side: 'right' },
];
const DELTAS: readonly Column[] = [
  { title: 'reads', side: 'right' },
  { title: 'output', side: 'right' },
  { title: 'input', side: 'right' },
];
const TOOLS: Column = { title: 'tools', least: 5 };

function nameCells({ rank, codename, class_tier, yield: value }: Peer): string[] {
  return [String(rank), codename, class_tier, valueText(value)];
}

/** What the peer's share of each token type contributes to the difference in yield, as factors. */
function deltaCells({ deltas }: Peer): string[] {
  if (deltas === null) return ['-', '-', '-'];
  const { cache_read, output, input } = deltas;
  return [cache_read, output, input].map((delta) => `x${valueText(Math.exp(delta))}`);
}

function toolsOf({ tools }: Peer): string {
  return tools.join(', ');
}
