/** Makes the next state of the boards from the last one and the operators that changed. */
import { slicesOf, toolsFrom } from '#core/domain/board/slices.ts';
import { WINDOWS } from '#core/domain/metrics/window.ts';
import { sharedColumn, type SlotColumn } from '../state/blocks.ts';
import {
  type BoardOrders,
  type BoardState,
  findBoard,
  type OperatorSlots,
} from '../state/board-state.ts';
import { namesAt } from '../state/names.ts';
import { isMember, isSelfReported, shownFacts } from '../state/operator-facts.ts';
import { type BoardPlace, boardPlace, rowIn, toolsWithTokens } from '../state/sheet.ts';
import { addSum, operatorSum, rowSum, subtractSum, versionOf } from '../state/sums.ts';
import { makeOrders, merged, updateOrders } from './orders.ts';

/** The operators of the next state without their order, and everything else that it needs. */
export interface Draft extends Pick<
  BoardState,
  'moderation' | 'numbers' | 'rules' | 'sources' | 'texts' | 'toolNames'
> {
  operators: Omit<OperatorSlots, 'byName'>;
  /** The slots that differ from the last state, which may be new. */
  changed: Uint32Array;
}

/** @param before The last state of the same day; null if there is none, so that everything changed. */
export function advance(before: BoardState | null, draft: Draft): BoardsAndOperators {
  const { operators, changed, numbers } = draft;
  const marks = new Uint8Array(operators.ids.length);
  for (const slot of changed) marks[slot] = 1;
  const present = changed.filter((slot) => isMember(operators.facts[slot] as number));
  const byName = before
    ? merged(before.operators.byName, marks, present, { key: codenameIn(draft) })
    : sortedByName(draft, present);
  const toolCounts = countTools(before, draft);
  const tools = toolsFrom(namedCounts(toolCounts, draft.toolNames));
  const self_reported = byName.some((slot) => isSelfReported(operators.facts[slot] as number));
  const operatorsSum = sumOfOperators(before, draft);
  const ranks = { marks, present, nameRanks: ranksOf(byName, marks.length) };
  const rows = { numbers, sheets: operators.sheets };
  const boards = slicesOf({ tools, self_reported }).flatMap((slice) =>
    WINDOWS.map((window): BoardOrders => {
      const known = before && findBoard(before.boards, slice, window);
      const place = boardPlace(draft.toolNames, slice, window);
      const orders = known
        ? updateOrders(known.orders, { ...rows, place }, ranks)
        : makeOrders({ ...rows, place }, byName);
      const rowsSum = known
        ? rowsSumOf(before, known.rowsSum, draft, place)
        : sumOfRows(draft, place, byName);
      return { window, slice, orders, rowsSum, version: versionOf(rowsSum, operatorsSum) };
    }),
  );
  return {
    tools,
    self_reported,
    boards,
    operatorsSum,
    toolCounts,
    operators: { ...operators, byName },
  };
}

type BoardsAndOperators = Pick<
  BoardState,
  'boards' | 'operators' | 'operatorsSum' | 'self_reported' | 'toolCounts' | 'tools'
>;

function codenameIn({ operators, texts }: Draft) {
  return (slot: number) => namesAt(texts, operators.names[slot] as number).codename;
}

function sortedByName(draft: Draft, slots: Uint32Array): SlotColumn {
  const codenameOf = codenameIn(draft);
  const named = Array.from(slots, (slot) => ({ slot, codename: codenameOf(slot) }));
  named.sort((a, b) => (a.codename < b.codename ? -1 : 1));
  const column = sharedColumn(named.length);
  named.forEach(({ slot }, at) => {
    column[at] = slot;
  });
  return column;
}

function ranksOf(byName: Uint32Array, slots: number): Uint32Array {
  const ranks = new Uint32Array(slots);
  byName.forEach((slot, rank) => {
    ranks[slot] = rank;
  });
  return ranks;
}

/** Calls back for each operator on the board whose data went, then for each whose data came. */
function eachChange(
  before: BoardState | null,
  draft: Draft,
  leave: (slot: number, state: BoardState) => void,
  enter: (slot: number) => void,
): void {
  for (const slot of draft.changed) {
    const facts = before?.operators.facts[slot];
    if (before && facts !== undefined && isMember(facts)) leave(slot, before);
    if (isMember(draft.operators.facts[slot] as number)) enter(slot);
  }
}

/** How many operators on the board used each tool, by the tool's index. */
function countTools(before: BoardState | null, draft: Draft): number[] {
  const counts = draft.toolNames.map((_, index) => before?.toolCounts[index] ?? 0);
  const add = (numbers: readonly number[], count: number) => {
    for (const tool of numbers) counts[tool - 1] = (counts[tool - 1] as number) + count;
  };
  const toolsOf = (
    { numbers, operators }: Pick<BoardState, 'numbers'> & Pick<Draft, 'operators'>,
    slot: number,
  ) => toolsWithTokens(numbers, operators.sheets[slot] as number);
  eachChange(
    before,
    draft,
    (slot, state) => add(toolsOf(state, slot), -1),
    (slot) => add(toolsOf(draft, slot), 1),
  );
  return counts;
}

function namedCounts(counts: readonly number[], names: readonly string[]): Map<string, number> {
  return new Map(counts.map((count, index) => [names[index] as string, count]));
}

function sumOfOperators(before: BoardState | null, draft: Draft): number {
  let sum = before?.operatorsSum ?? 0;
  eachChange(
    before,
    draft,
    (slot, { operators, texts }) => {
      sum = subtractSum(sum, termOf(operators, texts, slot));
    },
    (slot) => {
      sum = addSum(sum, termOf(draft.operators, draft.texts, slot));
    },
  );
  return sum;
}

function termOf(
  { ids, names, facts }: Draft['operators'],
  texts: BoardState['texts'],
  slot: number,
) {
  // Slots differ between processes, but IDs do not.
  const { codename, display_name, cohort } = namesAt(texts, names[slot] as number);
  const shown = [codename, display_name, cohort].join('\n');
  return operatorSum(ids[slot] as number, shown, shownFacts(facts[slot] as number));
}

function rowsSumOf(
  before: BoardState | null,
  known: number,
  draft: Draft,
  place: BoardPlace,
): number {
  let sum = known;
  const term = ({ numbers, operators }: Pick<Draft, 'numbers' | 'operators'>, slot: number) => {
    const row = rowIn(numbers, operators.sheets[slot] as number, place);
    return rowSum(numbers, row, operators.ids[slot] as number);
  };
  eachChange(
    before,
    draft,
    (slot, state) => {
      sum = subtractSum(sum, term(state, slot));
    },
    (slot) => {
      sum = addSum(sum, term(draft, slot));
    },
  );
  return sum;
}

function sumOfRows(draft: Draft, place: BoardPlace, byName: Uint32Array): number {
  let sum = 0;
  for (const slot of byName) {
    const row = rowIn(draft.numbers, draft.operators.sheets[slot] as number, place);
    sum = addSum(sum, rowSum(draft.numbers, row, draft.operators.ids[slot] as number));
  }
  return sum;
}
