/** The texts of badges. */
import type { BadgeContent, BadgePlace, BadgeStanding } from '#core/domain/board/badge.ts';
import { DEFAULT_VIEW } from '#core/domain/board/board-path.ts';
import type { WindowName } from '#core/schema/board.ts';
import type { MetricName } from '#core/schema/record.ts';
import type { BadgePiece } from '../../charts/badge.ts';
import { shownValues } from '../board/shown-values.ts';
import { classText } from '../text/entry-words.ts';
import { whole } from '../text/format.ts';
import { METRIC_WORDS, WINDOW_WORDS } from '../text/words.ts';

type Quiet = Extract<BadgePlace['standing'], string>;

interface BadgeWords {
  says: BadgePiece[];
  title: string;
}

const ALL_TOOLS = 'all tools';

const QUIET: Readonly<Record<Quiet, string>> = {
  unlisted: 'not listed',
  unpublished: 'not available',
  unranked: 'not ranked',
};

/** The texts for a standing: the rank, the conservative value that decides it, or the class. */
export function badgeWords(place: BadgePlace, board: string, show: BadgeContent): BadgeWords {
  const { codename, metric, window, tool, tier, standing } = place;
  // Must not reveal whether the operator exists.
  if (standing === 'unlisted' || standing === 'unpublished') {
    return {
      says: [{ text: QUIET[standing], tone: 'soft' }],
      title: `${board}: ${QUIET[standing]}`,
    };
  }
  if (show === 'class') {
    const text = classText(tier);
    return {
      says: [
        { text: 'class ' },
        text === null ? { text: 'none yet', tone: 'soft' } : { text, tone: 'strong' },
        ...restOf(DEFAULT_VIEW.window, tool),
      ],
      title: `${board}: ${codename} ${text === null ? 'has no class yet' : `is in class ${text}`}, ${tool ?? ALL_TOOLS}`,
    };
  }
  const { name } = METRIC_WORDS[metric];
  const where = `${WINDOW_WORDS[window].phrase}, ${tool ?? ALL_TOOLS}`;
  if (standing === 'unranked') {
    const title = `${board}: ${codename} is not ranked by ${name}, ${where}`;
    const says: BadgePiece[] = [{ text: `${name} ` }, { text: QUIET.unranked, tone: 'soft' }];
    return { says: [...says, ...restOf(window, tool)], title };
  }
  const shown = show === 'rank' ? rankWords(name, standing) : valueWords(metric, standing);
  const says = [{ text: `${name} ` }, ...shown.says, ...restOf(window, tool)];
  return { says, title: `${board}: ${codename} ${shown.verb}, ${where}` };
}

interface Shown {
  says: BadgePiece[];
  verb: string;
}

function rankWords(name: string, { rank, total }: BadgeStanding): Shown {
  const of = ` of ${whole(total)}`;
  return {
    says: [{ text: whole(rank), tone: 'strong' }, { text: of }],
    verb: `is ranked ${whole(rank)}${of} by ${name}`,
  };
}

function valueWords(metric: MetricName, standing: BadgeStanding): Shown {
  const [text = ''] = shownValues(metric, [standing]);
  return {
    says: [{ text, tone: 'strong' }],
    verb: `has a conservative ${METRIC_WORDS[metric].name} of ${text}`,
  };
}

/** The tool, and the window if it is not the default one. */
function restOf(window: WindowName, tool: string | null): BadgePiece[] {
  const label = window === DEFAULT_VIEW.window ? null : WINDOW_WORDS[window].label.toLowerCase();
  return [tool ?? ALL_TOOLS, label].flatMap((text) =>
    text === null ? [] : [{ text: `, ${text}`, tone: 'soft' }],
  );
}
