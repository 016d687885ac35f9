import { DEFAULT_VIEW } from '#core/domain/board/board-path.ts';
import { plain } from '#core/domain/text/terminal-text.ts';
import type { StandingReport } from '../reports.ts';
import { momentText, counted, figure, valueText } from './figures.ts';
import { filled, named, wrapped } from './table.ts';

type WindowStanding = StandingReport['standings'][number];
type Notice = StandingReport['notices'][number];

const SHALLOW = '  ';
const DEEPER = '    ';

export function standingText(standing: StandingReport): string {
  const { standings, tools, counts_from, notices } = standing;
  const lines =
    tools.length > 0
      ? boardsLines(standing)
      : [...classLines(standing), ...standings.flatMap((each) => windowLines(each))];
  if (counts_from !== null) {
    lines.push(`  your last submission counts from the next update: ${momentText(counts_from)}`);
  } else if (standings.length === 0 && !notices.some(({ kind }) => EXPLAINS.has(kind))) {
    lines.push('  not on the board yet: no tokens in any period');
  }
  const told = [...sharedLines(standing), ...placeLines(standing)];
  return [...lines, ...told, ...notices.flatMap(noticeLines)].join('\n');
}

const ESTIMATE = 'Where they match only in part, the total of the day is an estimate.';

/** Counts that several devices sent, which count once. */
function sharedLines({ shared }: StandingReport): string[] {
  if (!shared || shared.records === 0) return [];
  const { records, days, in_part } = shared;
  const verb =
    records === 1
      ? 'is on more than one device and counts'
      : 'are on more than one device and count';
  const same = `  ${counted(records, 'daily count')} of ${counted(days, 'day')} ${verb} once`;
  return in_part ? [same, `  ${ESTIMATE}`] : [same];
}

/** Notices that explain why nothing is on the board. */
const EXPLAINS: ReadonlySet<string> = new Set(['held', 'hidden', 'rejected']);

function classLines({ class_tier, standings }: StandingReport): string[] {
  const isKnown = class_tier !== null && class_tier !== 'unclassed' && standings.length > 0;
  return isKnown ? [named('class', class_tier)] : [];
}

/** How many tools are shown after the one used most, each with one window. */
const SHOWN_TOOLS = 4;

/** The tool used most with all windows; other tools and all tools together with one window each. */
function boardsLines({ tools, standings, class_tier }: StandingReport): string[] {
  const compared = tools.filter(({ has_board }) => has_board);
  const alone = tools.filter(({ has_board }) => !has_board).map(({ tool }) => plain(tool));
  const [lead, ...others] = compared;
  const shown = others.slice(0, SHOWN_TOOLS);
  const left = others.length - shown.length;
  return [
    ...(lead ? toolLines(lead, lead.standings) : []),
    ...shown.flatMap((ofTool) => toolLines(ofTool, usual(ofTool.standings))),
    ...(left > 0 ? [`  and ${counted(left, 'more tool')}, see: opbench status --json`] : []),
    ...(alone.length > 0
      ? [wrapped(`no ranking yet for ${listed(alone)}, which no one else uses here`, 2)]
      : []),
    ...toolLines({ tool: 'all tools', class_tier }, lead ? usual(standings) : standings),
    ...(lead ? [`${DEEPER}tools count input differently, so compare the ranks of one tool`] : []),
  ];
}

function toolLines(
  { tool, class_tier }: Pick<StandingReport['tools'][number], 'class_tier' | 'tool'>,
  standings: readonly WindowStanding[],
): string[] {
  const isClassed = class_tier !== null && class_tier !== 'unclassed';
  const name = plain(`  ${tool}${isClassed ? `, class ${class_tier}` : ''}`);
  return [name, ...standings.flatMap((standing) => windowLines(standing, DEEPER))];
}

/** The board's default window, or the longest one with tokens. */
function usual(standings: readonly WindowStanding[]): WindowStanding[] {
  const found = standings.find(({ window }) => window === DEFAULT_VIEW.window) ?? standings.at(-1);
  return found ? [found] : [];
}

function listed(names: readonly string[]): string {
  const first = names.slice(0, SHOWN_TOOLS).join(', ');
  const left = names.length - SHOWN_TOOLS;
  return left > 0 ? `${first} and ${left} more` : first;
}

/** The public page and the badge, in lines that are not wrapped so that they can be copied. */
function placeLines({ page, badge_markdown, standings }: StandingReport): string[] {
  if (page === null || badge_markdown === null || standings.length === 0) return [];
  return [named('page', page), named('badge', badge_markdown)];
}

function windowLines(standing: WindowStanding, indent = SHALLOW): string[] {
  const { window, rank, total, reasons } = standing;
  const name = plain(window).replace('_', ' ');
  if (rank === null) {
    const [first = '', ...others] = reasons.map(({ text }) => text);
    return filled(indent, name, [`not ranked: ${first}`, ...others]);
  }
  const place = `rank ${figure(rank)} of ${figure(total)} by yield (${valueText(standing.yield)})`;
  return filled(indent, name, [place, ...rangeTexts(standing), ...movedTexts(standing)]);
}

/** The rank range, if it is more than one rank. */
function rangeTexts({ rank_range }: WindowStanding): string[] {
  const [best, worst] = rank_range ?? [];
  if (best === undefined || worst === undefined || best === worst) return [];
  return [`rank range ${figure(best)}–${figure(worst)}`];
}

function movedTexts({ movement: { day, submission } }: WindowStanding): string[] {
  return [
    ...movedText(day, 'since the day before'),
    ...movedText(submission, 'since your last submission'),
  ];
}

function movedText(places: number | null, since: string): string[] {
  if (places === null || places === 0) return [];
  return [`${places > 0 ? 'up' : 'down'} ${figure(Math.abs(places))} ${since}`];
}

const NOTICES: Readonly<Record<string, string>> = {
  answered: 'an admin answered your message',
  held: 'is on hold and does not count',
  hidden: 'the admin has hidden your account',
  noted: 'has a note from a check',
  rejected: 'was rejected by the admin and does not count',
};

function noticeLines({ kind, submission, reason, details, advice }: Notice): string[] {
  const words = Object.hasOwn(NOTICES, kind) ? NOTICES[kind] : kind;
  const about = submission === null ? '' : `submission ${submission} `;
  const why = reason === null ? '' : `: ${reason}`;
  const more = [...details, ...(advice === null ? [] : [advice])];
  return [`  ${about}${words}${why}`, ...more.map((text) => `    ${text}`)].map(plain);
}
