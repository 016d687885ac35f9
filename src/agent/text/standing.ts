import type { UnrankedReason } from '#core/schema/board.ts';
import type { MeAnswer, Notice, Reason, Standing } from '../answers.ts';
import { figure, plain } from './plain.ts';

/** An operator's standing on one board. */
export function standingText(me: MeAnswer): string {
  const lines = [...classLines(me), ...me.standings.flatMap(standingLines)];
  const last = me.device?.last_submission_at ?? null;
  if (last !== null && Date.parse(last) > Date.parse(me.generated_at)) {
    lines.push(
      `  the last submission counts from the publication at ${plain(me.next_refresh_at)} on`,
    );
  } else if (lines.length === 0) {
    lines.push('  not on the board: no tokens in any window');
  }
  return [...lines, ...(me.notices ?? []).flatMap(noticeLines)].join('\n');
}

const NOTICES: Readonly<Record<string, string>> = {
  held: 'does not count: held',
  hidden: 'the keeper hides the account',
  noted: 'noted',
  rejected: 'does not count: rejected by the keeper',
};

/** Something that the owner should know, why, and what to do. */
function noticeLines({ kind, submission, reason, checks, advice }: Notice): string[] {
  const words = Object.hasOwn(NOTICES, kind) ? NOTICES[kind] : kind;
  const about = submission == null ? '' : `submission ${submission} `;
  const why = reason == null ? '' : `: ${reason}`;
  const found = (checks ?? []).map(({ text }) => `    ${text}`);
  const lines = [`  ${about}${words}${why}`, ...found];
  return (advice == null ? lines : [...lines, `    ${advice}`]).map(plain);
}

function classLines({ class_tier, standings }: MeAnswer): string[] {
  const isKnown = class_tier != null && class_tier !== 'unclassed' && standings.length > 0;
  return isKnown ? [`  ${'class'.padEnd(NAME_WIDTH)}${plain(class_tier)}`] : [];
}

function standingLines(standing: Standing): string[] {
  const { window, rank, total, metrics, reasons } = standing;
  const name = plain(window).replace('_', ' ');
  if (rank === null) {
    const [first = '', ...others] = reasons.map(reasonText);
    return filled(name, [`not ranked: ${first}`, ...others]);
  }
  const place = `rank ${rank} of ${total} by yield (${metrics.yield})`;
  return filled(name, [place, ...rangeTexts(standing), ...movedTexts(standing)]);
}

/** The places that the intervals allow, where they are more than one. */
function rangeTexts({ rank_range }: Standing): string[] {
  if (rank_range == null || rank_range[0] === rank_range[1]) return [];
  return [`places ${rank_range.join('-')} fit the data`];
}

function movedTexts({ movement }: Standing): string[] {
  const day = movement?.day ?? 0;
  if (day === 0) return [];
  return [`${day > 0 ? 'up' : 'down'} ${Math.abs(day)} since the day before`];
}

/** How wide lines are, and the names at their beginning. */
const WIDTH = 80;
const NAME_WIDTH = 9;

/** Parts after a name, in lines that are no wider than a terminal. */
function filled(name: string, parts: readonly string[]): string[] {
  const lines = [`  ${name.padEnd(NAME_WIDTH)}`];
  parts.forEach((part, index) => {
    const text = index < parts.length - 1 ? `${part},` : part;
    const line = lines.at(-1) ?? '';
    const glue = index === 0 ? '' : ' ';
    if (index === 0 || line.length + glue.length + text.length <= WIDTH) {
      lines[lines.length - 1] = `${line}${glue}${text}`;
    } else {
      lines.push(`${' '.repeat(2 + NAME_WIDTH)}${text}`);
    }
  });
  return lines;
}

const REASONS: Record<UnrankedReason['code'], string> = {
  active_days_low: 'active days',
  effective_days_low: 'effective days',
  total_low: 'tokens in total',
  output_low: 'output tokens',
  coverage_low: 'of the output in logs that report the cache',
  metric_undefined: 'yield is undefined',
  interval_undefined: 'yield is at the end of its scale',
  hidden: 'the keeper hides the account',
  private: 'the account is private',
};

function reasonText({ code, required, actual }: Reason): string {
  const known = Object.hasOwn(REASONS, code);
  const reason = known ? REASONS[code as keyof typeof REASONS] : plain(code);
  if (required == null) return reason;
  return `${figure(actual ?? 0)} of ${figure(required)} ${reason}`;
}
