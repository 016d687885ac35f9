/** Compares everything that readers can ask of a publication with the reference, bit for bit. */
import type { BoardSlice } from '#core/domain/board/board.ts';
import type { SourceUsage } from '#core/domain/board/breakdown.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import { WINDOWS } from '#core/domain/metrics/window.ts';
import { ClassTier, type WindowName } from '#core/schema/board.ts';
import type { Store } from '#db/store.ts';
import type { Publication } from '#server/publication/read/publication.ts';
import type { PublishedBoard } from '#server/publication/read/published-board.ts';
import { comparePeers } from './compare-peers.ts';
import { expectSame } from './expect-same.ts';
import { type Reference, type ReferenceDays, boardIn } from './reference-board.ts';
import { challengeStandings, openChallenges } from './reference-challenge.ts';
import type { ReferenceMember } from './reference-members.ts';
import { ReferenceView } from './reference-views.ts';

const NOBODY: ReadonlySet<number> = new Set();
const ALL = { from: 0, limit: 10_000 };

/** A moment of a history: a publication, and what it must show. */
export interface Moment {
  publication: Publication;
  reference: Reference;
  days: ReferenceDays;
}

/** Returns a whole number from 0 to `limit - 1`. */
export type Below = (limit: number) => number;

/** Compares a whole publication. `below` chooses pages, names and selections. */
export function comparePublication(moment: Moment, below: Below): void {
  const { publication, reference } = moment;
  expectSame('tools', publication.tools, reference.tools);
  expectSame('moderation', publication.moderation, reference.moderation);
  expectSame('ruleset', publication.ruleset, reference.rules.id);
  expectSame('as_of', publication.as_of, reference.as_of);
  compareOperators(moment);
  for (const slice of reference.slices) {
    for (const window of WINDOWS) compareBoards(moment, { slice, window }, below);
  }
  comparePeers(moment);
}

/** Compares the standings of the challenges that are not over, and that there are no others. */
export function compareChallenges({ publication, reference }: Moment, store: Store): void {
  const open = openChallenges(store, reference.as_of);
  for (const challenge of store.challenges.all()) {
    const published = publication.challenge(challenge.seq);
    if (!open.some(({ seq }) => seq === challenge.seq)) {
      expectSame(`challenge ${challenge.seq}`, published, undefined);
      continue;
    }
    const { total, length, entries, unranked } = challengeStandings(reference, challenge);
    const shown = published && {
      total: published.total,
      places: published.places,
      length: published.length,
      unranked: published.unranked,
      entries: published.entries(0, ALL.limit),
      unrankedEntries: published.unrankedEntries(0, ALL.limit),
      secondPlace: published.entries(1, 1),
    };
    expectSame(`challenge ${challenge.seq}`, shown, {
      total,
      places: total,
      length,
      unranked: unranked.length,
      entries,
      unrankedEntries: unranked,
      secondPlace: entries.slice(1, 2),
    });
  }
}

/** Compares an earlier publication without the operators that a newer one shows differently or not at all. */
export function compareAsShownIn(earlier: Moment, newer: Moment, below: Below): void {
  const now = new Map(newer.reference.members.map((member) => [member.id, member]));
  const gone = earlier.reference.members.filter((member) => !showsOnly(member, now.get(member.id)));
  const withheld = new Set(gone.map(({ id }) => id));
  const publication = earlier.publication.asShownIn(newer.publication);
  expectSame('withheld', publication.operators.withheld, withheld.size);
  for (const slice of earlier.reference.slices) {
    const window = WINDOWS[below(WINDOWS.length)] as WindowName;
    // Movements are read when they are shown, so days that were stored in the meantime count.
    const { days } = newer;
    compareBoards({ ...earlier, days, publication }, { slice, window }, below, withheld);
  }
}

/** Whether an operator's earlier row shows nothing that is not public now. */
function showsOnly(then: ReferenceMember, now: ReferenceMember | undefined): boolean {
  if (now?.codename !== then.codename) return false;
  const isNamed = then.display_name === null || then.display_name === now.display_name;
  const isInCohort = then.cohort === null || then.cohort === now.cohort;
  return isNamed && isInCohort && (!then.in_figures || now.in_figures);
}

function compareOperators({ publication: { operators }, reference }: Moment): void {
  const { members, classes } = reference;
  const slots = slotsOf(operators);
  const shown = slots.map((slot) => ({
    ...operators.at(slot),
    devices: operators.devicesAt(slot),
    at: slots.indexOf(operators.positionOf(operators.codenameAt(slot)) ?? -1),
    class: operators.classOf(operators.codenameAt(slot)),
  }));
  expectSame('number of operators', operators.length, members.length);
  const expected = members.map(
    ({ id, codename, display_name, cohort, in_figures, devices }, position) => {
      const class_tier = classes.get(id) ?? 'unclassed';
      const names = { codename, display_name, class_tier, cohort, in_figures };
      return { ...names, devices, at: position, class: class_tier };
    },
  );
  expectSame('operators', shown, expected);
  expectSame('nobody', operators.positionOf('nobody-has-this-name'), null);
}

/** The slots of all operators, by name. */
function slotsOf(operators: Publication['operators']): number[] {
  return operators.codenames().map((codename) => operators.positionOf(codename) ?? -1);
}

/** Compares a window and slice: the board of everybody, and that of a random class and cohort. */
function compareBoards(
  { publication, reference, days }: Moment,
  { slice, window }: { slice: BoardSlice; window: WindowName },
  below: Below,
  withheld: ReadonlySet<number> = NOBODY,
): void {
  const board = boardIn(reference, slice, window);
  const class_tier = below(2) ? (ClassTier.options[below(ClassTier.options.length)] ?? null) : null;
  const cohort = below(2) ? (['red', 'blue'][below(2)] ?? null) : null;
  const everybody = { class_tier: null, cohort: null };
  for (const choice of [everybody, { class_tier, cohort }]) {
    const isChosen = (member: ReferenceMember) => {
      const tier = reference.classes.get(member.id) ?? 'unclassed';
      const isOfClass = choice.class_tier === null || choice.class_tier === tier;
      return isOfClass && (choice.cohort === null || member.cohort === choice.cohort);
    };
    const isWhole = choice.class_tier === null && choice.cohort === null;
    const chosen = isWhole ? null : isChosen;
    const expected = new ReferenceView({ reference, days, board, chosen, withheld });
    const actual = publication.window(window, slice, choice);
    const where = `${JSON.stringify(slice)} ${window} ${JSON.stringify(choice)}`;
    compareLists(where, actual, expected, { publication, reference, below });
    compareNames(where, actual, expected, { reference, below });
  }
}

/** Compares lists, pages and figures. */
function compareLists(
  where: string,
  actual: PublishedBoard,
  expected: ReferenceView,
  scene: { publication: Publication; reference: Reference; below: Below },
): void {
  const { publication, reference, below } = scene;
  const text = ['a', 'e', 'Ann', 'anonymous', '-', 'Zoe'][below(6)] ?? '';
  const named = publication.operators.named(text);
  const isNamed = ({ codename, display_name }: ReferenceMember) => {
    return `${codename}\n${display_name ?? ''}`.toLowerCase().includes(text.toLowerCase());
  };
  if (publication.operators.withheld === 0) {
    const found = slotsOf(publication.operators).map((slot) => named[slot]);
    expectSame(
      `named ${text}`,
      found,
      reference.members.map((one) => Number(isNamed(one))),
    );
  }
  const page = { from: below(4), limit: 1 + below(3) };
  for (const metric of METRIC_NAMES) {
    expectSame(
      `${where} ${metric}`,
      picture(actual, metric, [ALL, page, { ...page, among: named }], named),
      picture(
        expected,
        metric,
        [
          { ...ALL, among: null },
          { ...page, among: null },
          { ...page, among: isNamed },
        ],
        isNamed,
      ),
    );
  }
  expectSame(`${where} spread`, actual.spread(), expected.spread());
}

interface Readable<Span, Among> {
  total(metric: string, among?: Among): number;
  unrankedTotal(metric: string, among?: Among): number;
  ranked(metric: string, span: Span): unknown;
  unranked(metric: string, span: Span): unknown;
  medians(metric: string): unknown;
  distribution(metric: string): unknown;
}

/** All answers that concern a metric. */
function picture<Span, Among>(
  view: Readable<Span, Among>,
  metric: string,
  spans: readonly Span[],
  among: Among,
) {
  return {
    totals: [view.total(metric), view.unrankedTotal(metric)],
    among: [view.total(metric, among), view.unrankedTotal(metric, among)],
    ranked: spans.map((span) => view.ranked(metric, span)),
    unranked: spans.map((span) => view.unranked(metric, span)),
    medians: view.medians(metric),
    distribution: view.distribution(metric),
  };
}

/** Compares what readers find by name: two operators, and a name that does not exist. */
function compareNames(
  where: string,
  actual: PublishedBoard,
  expected: ReferenceView,
  { reference: { members }, below }: { reference: Reference; below: Below },
): void {
  const one = () => members[below(members.length)]?.codename ?? '';
  for (const codename of [one(), one(), 'nobody']) {
    const metric = METRIC_NAMES[below(METRIC_NAMES.length)] ?? 'yield';
    const about = `${where} ${codename}`;
    expectSame(
      `${about} ${metric}`,
      actual.find(metric, codename),
      expected.find(metric, codename),
    );
    expectSame(`${about} tools`, actual.toolsOf(codename), expected.toolsOf(codename));
    expectSame(`${about} parts`, sorted(actual.parts(codename)), sorted(expected.parts(codename)));
    const [detail, wanted] = [actual.detail(codename), expected.detail(codename)];
    expectSame(
      `${about} detail`,
      detail && { ...detail, parts: sorted(detail.parts) },
      wanted && { ...wanted, parts: sorted(wanted.parts) },
    );
  }
}

/** Parts have no promised order. */
function sorted(parts: readonly SourceUsage[]): unknown[] {
  return parts
    .map((part) => ({ key: JSON.stringify(part), part }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ part }) => part);
}
