/** The section about the rank on a board. */
import { DEFAULT_VIEW } from '#core/domain/board/board-path.ts';
import { type Html, markup } from '#core/domain/text/escape.ts';
import { plain } from '#core/domain/text/terminal-text.ts';
import { valueText } from '../../charts/numbers.ts';
import type { Estimate } from '../loop/estimate.ts';
import { counted, figure } from '../text/figures.ts';
import { type BoardRank, conservativeOf, rankOf } from './board-rank.ts';
import { paragraph, section } from './parts.ts';
import { WINDOW_LABELS } from './yield-section.ts';

/** Where these counts would be on a board. */
export function rankSection(rank: BoardRank, estimate: Estimate): Html {
  return section('rank', 'Rank on a board', ...rankTexts(rank, estimate));
}

function rankTexts({ board, failure, answer }: BoardRank, estimate: Estimate): Html[] {
  if (answer === null) {
    const why = plain(failure?.message ?? '');
    const text = `${board} could not be asked, so there is no estimate of a rank: ${why}`;
    return [paragraph(text, 'breaks')];
  }
  const low = conservativeOf(estimate);
  const days = WINDOW_LABELS[DEFAULT_VIEW.window];
  const place =
    low === null
      ? paragraph(
          `These counts are not enough for a rank in ${days}. The table above shows what is missing.`,
        )
      : rankText(rankOf(answer, low), low);
  return [place, paragraph(boardText(board, answer), 'breaks'), ...rulesText(answer, estimate)];
}

type Answer = NonNullable<BoardRank['answer']>;

function boardText(board: string, { as_of, others }: Answer): string {
  const verb = others === 1 ? 'is' : 'are';
  const ranked = `${counted(others, 'other operator')} ${verb} ranked there by yield in ${WINDOW_LABELS[DEFAULT_VIEW.window]}`;
  return `Compared with ${plain(board)} as of ${plain(as_of)}: ${ranked}, with all tools together.`;
}

function rulesText(answer: Answer, { ruleset }: Estimate): Html[] {
  if (answer.ruleset === null || answer.ruleset === ruleset) return [];
  return [paragraph('The board has other ranking rules, so what it needs for a rank can differ.')];
}

function rankText({ rank, total, isAtLeast }: ReturnType<typeof rankOf>, low: number): Html {
  const place = isAtLeast
    ? `Rank ${figure(rank)} or lower of ${figure(total)}`
    : `Rank ${figure(rank)} of ${figure(total)}`;
  return markup`<p class="measure"><strong>${place}</strong>, by the conservative yield of ${valueText('yield', low)}. This is an estimate: the board counts only what was submitted.</p>`;
}
