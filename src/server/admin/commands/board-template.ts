import {
  COLOUR_ROLES,
  type ColourRole,
  DEFAULT_COLOURS,
  type Scheme,
} from '#core/domain/board/colours.ts';
import { DEFAULT_VALUES_DAYS } from '#core/domain/board/day-values.ts';
import { RULESET_NUMBERS } from '#core/domain/board/ruleset.ts';
import { keyOf } from '#server/config/board-colours.ts';
import { DEFAULT_SITE } from '#server/config/site.ts';

/** The initial `board.toml`: every setting with its default, commented out. */
export function boardTemplate(): string {
  return `${siteTemplate()}
${coloursTemplate()}
${eligibilityTemplate()}`;
}

function siteTemplate(): string {
  return `# Customizes this board. Every setting is commented out and shows its default. To change one, remove the # and
# edit the value. Set BOARD_DIR to this folder and restart the server. The server reads the file when it starts
# and reports every setting that is invalid. TOML syntax: https://toml.io

# The name of the board, 1 to 60 characters. If you also set BOARD_NAME, both must be the same.
# name = ${quoted(DEFAULT_SITE.name)}

# A description of up to 300 characters, shown in the footer of every page.
# description = ${quoted(DEFAULT_SITE.description)}

# A logo next to the name: an .svg, .png or .webp file in this folder, at most 100 kB. It is shown 28 pixels
# high and at most 6 times as wide. If it is roughly square, it is also the icon of the browser tab.
# logo = "logo.svg"

# Sites that can show the small board of /embed/board in a frame: at most 20 addresses without a path, or "*" for
# every site.
# embed = []

# Extra links in the footer of every page, such as an imprint: at most 8, each under its own [[links]] line.
# Addresses begin with https:// or mailto:
# [[links]]
# label = "Imprint"
# href = "https://example.org/imprint"

# Groups that operators can join: at most 50, each under its own [[cohorts]] line. Readers can filter the board
# by group. An id has 1 to 30 characters of a-z, 0-9 and hyphens. Do not set COHORTS as well.
# [[cohorts]]
# id = "students"
# name = "Students"
`;
}

function coloursTemplate(): string {
  return `# Colors of the light and the dark color scheme, as # and 6 hex digits. The server does not start if the
# contrast is too low for reading, and prints the contrast. If you set surface or ink, any of surface_sunk,
# ink_soft, line and line_strong that you do not set are mixed from these two.
${coloursIn('light')}
${coloursIn('dark')}`;
}

function eligibilityTemplate(): string {
  return `# What an operator needs to be ranked. If you change a number, your ranking rules get a name of their own:
# their version, a hyphen and 8 hex digits of their hash, such as 2-3fa94c1e. The change becomes an entry in the
# public log, so that anyone can recompute the board, and /methodology lists it. Change these rarely: ranks before and after are not comparable.
[eligibility]
# Tokens that make a day active (1 or more).
# active_day_tokens = ${RULESET_NUMBERS.active_day_tokens}
# The lowest number of tokens in a period, and of output tokens among them (1 or more).
# total_tokens = ${RULESET_NUMBERS.total_tokens}
# output_tokens = ${RULESET_NUMBERS.output_tokens}
# The lowest share of output tokens in daily counts that report every count the metric needs (0.5 to 1).
# coverage = ${RULESET_NUMBERS.coverage}
# The lowest share of stated days, from an account's first to its last one in the period (0 to 1). A day is stated
# if it has signed tokens, or if a device signed that its counts for that day are complete. opbench states days since
# version 0.17. Days without tokens from before an operator updated count as not stated.
# stated_days = 0

# The lowest number of active days in each period (2 or more, because uncertainty cannot be estimated from one).
[eligibility.active_days]
${byWindow(RULESET_NUMBERS.active_days)}
# The lowest number of effective days, which is smaller than the number of active days if a few days hold most of
# the tokens (1 or more).
[eligibility.effective_days]
${byWindow(RULESET_NUMBERS.effective_days)}

# How many past days keep their values and intervals (14 or more). The last stored day of each month always keeps
# them. Ranks are kept for every day. Deleted values do not come back if you raise the number.
[history]
# values_days = ${DEFAULT_VALUES_DAYS}`;
}

const USES: Readonly<Record<ColourRole, string>> = {
  surface: 'page background',
  surfaceSunk: 'background of code and notes',
  ink: 'text; contrast of at least 7',
  inkSoft: 'secondary text; at least 4.5',
  line: 'lines between rows',
  lineStrong: 'borders of fields, axes; at least 3',
  accent: 'links and highlights; at least 4.5',
  warn: 'errors and warnings; at least 4.5',
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

/** A text as a TOML string. JSON's escapes are enough for the defaults. */
function quoted(text: string): string {
  return JSON.stringify(text);
}

export function styleTemplate(): string {
  return TEMPLATE;
}

const TEMPLATE = `/*
 * Styles of your board, in addition to the colors in board.toml. The server reads this file when it starts (at
 * most 64 kB), and every page loads it.
 *
 * All styles of Opbench are in cascade layers, so a rule in this file overrides them without !important, whatever
 * their selectors. The properties below are stable. Class names and the order of elements can change with any
 * version.
 *
 * A page cannot load anything from another site: the board's Content-Security-Policy blocks @import and url().
 * Use fonts that readers have installed.
 *
 *   --surface        page background               --surface-sunk   background of code and notes
 *   --ink            text                          --ink-soft       secondary text
 *   --line           lines between rows            --line-strong    borders of fields, axes
 *   --accent         links and highlights          --warn           errors, warnings, permanent actions
 *   --text           font of text                  --code           font of code
 *   --h1, --h2, --body, --table, --small           font sizes
 *   --s1 to --s16                                  spacing, from small to large
 *   --measure                                      longest line of text
 *
 * Set colors in board.toml, where their contrast is checked. A color that you set here applies to the light and
 * the dark color scheme, and is not checked.
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
