/** The three groups of peers as tables, with the causes of differences in yield. */
import type { Peers } from '#core/contract/peers.ts';
import { classText } from '../components/text/entry-words.ts';
import { count, exactText, metricText, whole } from '../components/text/format.ts';
import { element } from './dom.ts';
import { DELTA_LABELS, deltaTexts, factorsText, zeroShareText } from './words.ts';

type GroupName = 'complementary' | 'mentors' | 'same_tier';
type Peer = Peers[GroupName]['entries'][number];

interface Row {
  peer: Peer;
  /** The reason for this peer, as a cell and in words; null if it is the same for the whole group. */
  own: { cell: string; words: string } | null;
}

interface Group {
  id: string;
  title: string;
  lead: string;
  /** Why the group is empty; null if it is not. */
  detail: string | null;
  /** The heading of the reasons' column. */
  own: string | null;
  rows: readonly Row[];
}

/** All groups; an empty group shows the reason. `board` is the board's URL, to which operator links lead. */
export function peerSections(peers: Peers, board: string): HTMLElement[] {
  return [mentorsOf(peers), sameClassOf(peers), complementsOf(peers)].map((group) => {
    const { id, title, lead, detail } = group;
    const said =
      detail === null
        ? [element('p', { class: 'soft' }, lead), tableOf(group, board)]
        : [element('p', { class: 'soft' }, detail)];
    return element(
      'section',
      { class: 'section', 'aria-labelledby': id },
      element('h2', { id }, title),
      element('div', {}, ...said),
    );
  });
}

function mentorsOf({ mentors }: Peers): Group {
  return {
    id: 'mentors',
    title: 'Mentors',
    lead: 'Operators one or two classes above you by conservative yield (the measured yield lowered by its uncertainty) who work in a similar way. Operators with the same tools come first, then the most similar.',
    detail: mentors.detail,
    own: 'Classes above',
    rows: mentors.entries.map((peer) => {
      const words = `${count(peer.classes_above, 'class', 'classes')} above`;
      return { peer, own: { cell: whole(peer.classes_above), words } };
    }),
  };
}

function sameClassOf({ same_tier }: Peers): Group {
  return {
    id: 'same-class',
    title: 'Same class',
    lead: 'Operators of your class with a similar mix of token types, the most similar first.',
    detail: same_tier.detail,
    own: null,
    rows: same_tier.entries.map((peer) => ({ peer, own: null })),
  };
}

function complementsOf({ complementary }: Peers): Group {
  const weaker = complementary.weakness?.metric ?? 'leverage';
  return {
    id: 'complementary',
    title: 'Complementary',
    lead: `Operators of any class who are strong in ${weaker}, your weaker metric. The strongest come first.`,
    detail: complementary.detail,
    own: `Conservative ${weaker}`,
    rows: complementary.entries.map((peer) => {
      const cell = metricText(weaker, peer.conservative);
      return { peer, own: { cell, words: `${weaker} at least ${cell}` } };
    }),
  };
}

function tableOf({ id, own, rows }: Group, board: string): HTMLElement {
  const head = (text: string, kind: string | null) =>
    element('th', { scope: 'col', class: kind }, text);
  const heads = [
    head('Operator', null),
    head('Rank', 'num tablet'),
    ...(own === null ? [] : [head(own, 'num tablet')]),
    head('Yield, 90 days', 'num'),
    ...DELTA_LABELS.map((label) => head(label, 'num tablet')),
  ];
  return element(
    'table',
    { 'aria-labelledby': id },
    element('thead', {}, element('tr', {}, ...heads)),
    element('tbody', {}, ...rows.map((row) => rowOf(row, board))),
  );
}

function rowOf({ peer, own }: Row, board: string): HTMLElement {
  const zero = zeroShareText(peer);
  const cell = (kind: string, text: string, title: string | null = null) =>
    element('td', { class: kind, title }, text);
  const lines = [own?.words, zero ?? factorsText(peer)].filter((line) => line !== undefined);
  return element(
    'tr',
    {},
    element('th', { scope: 'row' }, ...nameOf(peer, board), ...lines.map(phoneLine)),
    cell('num tablet', whole(peer.rank)),
    own && cell('num tablet', own.cell),
    cell('num', metricText('yield', peer.yield), exactText(peer.yield)),
    ...deltaTexts(peer).map((text) => cell('num tablet', text, zero)),
  );
}

function phoneLine(text: string): HTMLElement {
  return element('span', { class: 'phone' }, text);
}

function nameOf({ codename, display_name, class_tier, tools }: Peer, board: string) {
  const href = `${board}/operators/${codename}?window=90d`;
  const known = [display_name === null ? null : codename, classText(class_tier), ...tools];
  const about = known.filter((part) => part !== null).join(', ');
  return [
    element('a', { class: 'target', href }, element('bdi', {}, display_name ?? codename)),
    element('span', { class: 'line small soft' }, about),
  ];
}
