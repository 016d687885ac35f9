import {
  COLOUR_ROLES,
  type ColourRole,
  DEFAULT_COLOURS,
  type Scheme,
} from '#core/domain/board/colours.ts';
import { RULESET_NUMBERS } from '#core/domain/board/ruleset.ts';
import { keyOf } from '#server/config/board-colours.ts';
import { DEFAULT_SITE } from '#server/config/site.ts';

/** `board.toml` as an admin gets it: every setting with its default, commented out. */
export function boardTemplate(): string {
  return `${siteTemplate()}
${coloursTemplate()}
${eligibilityTemplate()}`;
}

function siteTemplate(): string {
  return `# What makes this board your own. Every setting is commented out and shows its default: take away the # and
# change the value. The server reads this file at its start, and says all that it cannot use.
# Start it with BOARD_DIR set to this folder. How TOML is written: https://toml.io

# What the board is called, in 1 to 60 characters. If BOARD_NAME is set, it must say the same.
# name = ${quoted(DEFAULT_SITE.name)}

# What the board is, in a sentence or two of at most 300 characters. It stands at the foot of every page.
# description = ${quoted(DEFAULT_SITE.description)}

# A picture beside the name: an .svg, .png or .webp file in this folder, of at most 100 kB. It is shown 28
# pixels high and at most 6 times as wide. If it is about square, it is the icon of the browser's tab too.
# logo = "logo.svg"

# Where the foot of every page leads besides, such as an imprint: at most 8 of these, each with its own heading.
# Addresses begin with https:// or mailto:
# [[links]]
# label = "Imprint"
# href = "https://example.org/imprint"

# Groups that operators may say they belong to: at most 50 of these. Readers can choose one on the board. An id
# has 1 to 30 characters of a-z, 0-9 and -. Instead of COHORTS, not besides.
# [[cohorts]]
# id = "students"
# name = "Students"
`;
}

function coloursTemplate(): string {
  return `# Colours, for readers of light pages and of dark ones, as # and 6 hex digits. What cannot be read is refused
# with its contrast. Where you set surface or ink, those of surface_sunk, ink_soft, line and line_strong that
# you do not set are mixed from these two.
${coloursIn('light')}
${coloursIn('dark')}`;
}

function eligibilityTemplate(): string {
  return `# What is asked of an operator to be ranked. With other numbers than these the ruleset gets a name of its own: 1-
# and 8 hex digits of their hash. The change is an entry of the public log, from which anybody can recompute the
# board, and stands in the history of the rules. Change them seldom: ranks before and after do not compare.
[eligibility]
# A day is active from so many tokens on (1 or more).
# active_day_tokens = ${RULESET_NUMBERS.active_day_tokens}
# The least tokens in a window, and the least output tokens of them (1 or more).
# total_tokens = ${RULESET_NUMBERS.total_tokens}
# output_tokens = ${RULESET_NUMBERS.output_tokens}
# The least share of the output in counts that report what the metric needs (0.5 to 1).
# coverage = ${RULESET_NUMBERS.coverage}

# The least active days in each window (2 or more, because one day does not tell how sure a value is).
[eligibility.active_days]
${byWindow(RULESET_NUMBERS.active_days)}
# The least effective days: fewer than the active ones if a few days hold most of the tokens (1 or more).
[eligibility.effective_days]
${byWindow(RULESET_NUMBERS.effective_days)}`;
}

const USES: Readonly<Record<ColourRole, string>> = {
  surface: 'the page',
  surfaceSunk: 'what lies a little deeper, such as code',
  ink: 'text: contrast of 7 or more',
  inkSoft: 'text that matters less: 4.5 or more',
  line: 'lines between rows',
  lineStrong: 'lines around fields, axes: 3 or more',
  accent: 'the one colour, of links and marks: 4.5 or more',
  warn: 'what went wrong: 4.5 or more',
};

function coloursIn(scheme: Scheme): string {
  const lines = COLOUR_ROLES.map((role) => {
    const setting = `# ${keyOf(role)} = "${DEFAULT_COLOURS[scheme][role]}"`;
    return `${setting.padEnd(27)}# ${USES[role]}\n`;
  });
  return `[colours.${scheme}]\n${lines.join('')}`;
}

function byWindow(numbers: Readonly<Record<string, number>>): string {
  return Object.entries(numbers)
    .map(([window, number]) => `# ${window} = ${number}\n`)
    .join('');
}

/** A text as TOML writes it; what TOML escapes otherwise than JSON does not occur in defaults. */
function quoted(text: string): string {
  return JSON.stringify(text);
}

export function styleTemplate(): string {
  return TEMPLATE;
}

const TEMPLATE = `/*
 * What changes the look of your board beyond the colours of board.toml. The server reads this file at its
 * start (at most 64 kB) and every page loads it.
 *
 * All styles of Opbench lie in cascade layers, so a rule here wins without !important, however the rule is
 * written that it takes the place of. The properties below stay from version to version; names of classes
 * and the order of elements may change.
 *
 * Nothing can be loaded from elsewhere: the board's Content-Security-Policy keeps browsers from following
 * @import and url() to another site. Typefaces are those that readers have installed.
 *
 *   --surface        the page                      --surface-sunk   what lies a little deeper: code, notes
 *   --ink            text                          --ink-soft       text that matters less
 *   --line           lines between rows            --line-strong    lines around fields, axes
 *   --accent         the one colour: links, marks  --warn           what went wrong, what cannot be undone
 *   --text           the typeface of text          --code           the typeface of code
 *   --h1, --h2, --body, --table, --small           sizes of text
 *   --s1 to --s16                                  distances, from small to large
 *   --measure                                      the longest line of text
 *
 * A colour that is set here holds in the light and the dark scheme alike, and nobody checks whether it can
 * be read: colours are better set in board.toml.
 */

/*
:root {
  --text: Georgia, serif;
}

h1 {
  font-style: italic;
}
*/
`;
