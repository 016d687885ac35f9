/** Titles of boards, and which columns they show. */
import type { BoardSheet } from './board-sheet.ts';
import { classText, movedText } from '../text/entry-words.ts';
import { boardTitle } from '../text/words.ts';

type Titled = Pick<
  BoardSheet,
  'class' | 'cohort' | 'cohorts' | 'metric' | 'q' | 'tool' | 'tools' | 'trust' | 'window'
>;

/** The title of a board with its filters. @example `Yield leaderboard, last 30 days, codex, class Delta` */
export function sheetTitle(sheet: Titled): string {
  const { tool, tools, trust } = sheet;
  const toolText = tools.length === 0 ? null : (tool ?? 'all tools');
  const trustText = trust === 'all' ? 'including unsigned' : null;
  return [boardTitle(sheet), toolText, trustText, ...peopleTexts(sheet)]
    .filter((part) => part !== null)
    .join(', ');
}

function peopleTexts(sheet: Titled): (string | null)[] {
  const { cohort, cohorts, q } = sheet;
  const name = cohorts.find(({ id }) => id === cohort)?.name;
  return [
    sheet.class === null ? null : `class ${className(sheet.class)}`,
    name === undefined ? null : `cohort ${name}`,
    q === null ? null : `named \u201c${q}\u201d`,
  ];
}

export function className(tier: BoardSheet['class']): string {
  return (tier && classText(tier)) ?? 'unclassed';
}

export function isOfSome(sheet: Pick<BoardSheet, 'class' | 'cohort' | 'q'>): boolean {
  return sheet.class !== null || sheet.cohort !== null || sheet.q !== null;
}

export function hasMoved(
  entries: readonly Pick<BoardSheet['entries'][number], 'movement'>[],
): boolean {
  return entries.some(({ movement }) => movedText(movement) !== null);
}
