/** The admin's `board.toml`: its keys and their valid values. */
import { parse } from 'smol-toml';
import * as z from 'zod';
import { IN_WORDS } from '#core/domain/text/faults.ts';
import { COLOUR_ROLES } from '#core/domain/board/colours.ts';
import { DEFAULT_VALUES_DAYS } from '#core/domain/board/day-values.ts';
import { RULESET_NUMBERS, type RulesetNumbers } from '#core/domain/board/ruleset.ts';
import type { WindowName } from '#core/schema/board.ts';
import { CohortId } from '#core/schema/operator.ts';
import { line } from '#core/schema/texts.ts';
import { keyOf } from './board-colours.ts';
import { Origin } from './sign-in-config.ts';

/** How many days keep their values: enough for the feed, up to a century. */
const LEAST_VALUES_DAYS = 14;
const MOST_VALUES_DAYS = 36_500;

/** The highest number of days that a window can require. For all time it is a year. */
const DAYS: Readonly<Record<WindowName, number>> = { '7d': 7, '30d': 30, '90d': 90, all_time: 365 };
/** An interval needs two days, because it leaves out one day at a time. */
const LEAST_DAYS = 2;
const MOST_TOKENS = 1_000_000_000_000;
/** With less than half of the output, a value would leave out more than it includes. */
const LEAST_COVERAGE = 0.5;

const MAX_LINKS = 8;
const MAX_COHORTS = 50;
const MAX_ANCESTORS = 20;
const ANCESTOR =
  'must be an address without a path, such as "https://blog.example.org", or "*" for every site';
const URL_LENGTH = 500;

const Colour = z
  .string('must be a color, such as "#c52d1f"')
  .regex(/^#[0-9a-f]{6}$/i, 'must be # and 6 hex digits, such as "#c52d1f"')
  .toLowerCase();
const ColourTable = table(
  Object.fromEntries(COLOUR_ROLES.map((role) => [keyOf(role), Colour.optional()])),
);

const Link = table({
  label: text(40),
  href: z
    .url({ protocol: /^(?:https|mailto)$/, error: 'must begin with https:// or mailto:' })
    .max(URL_LENGTH, `must have at most ${URL_LENGTH} characters`),
});
/** A site that may show the small board in a frame: a source of a Content-Security-Policy. */
const FrameAncestor = z.string(ANCESTOR).refine((text) => {
  // A semicolon, which hosts may contain, would begin another directive.
  return text === '*' || (Origin.safeParse(text).success && /^https?:[\w./:[\]-]+$/.test(text));
}, ANCESTOR);
const CohortTable = table({ id: CohortId, name: text(60) });

const Eligibility = table({
  active_day_tokens: whole(1, MOST_TOKENS).default(RULESET_NUMBERS.active_day_tokens),
  active_days: byWindow(RULESET_NUMBERS.active_days, (most) => whole(LEAST_DAYS, most)),
  // Effective days equal active days only if all days have exactly the same size.
  effective_days: byWindow(RULESET_NUMBERS.effective_days, (most) => between(1, most - 1)),
  total_tokens: whole(1, MOST_TOKENS).default(RULESET_NUMBERS.total_tokens),
  output_tokens: whole(1, MOST_TOKENS).default(RULESET_NUMBERS.output_tokens),
  coverage: between(LEAST_COVERAGE, 1).default(RULESET_NUMBERS.coverage),
  stated_days: between(0, 1).optional(),
}).refine(({ total_tokens, output_tokens }) => output_tokens <= total_tokens, {
  path: ['output_tokens'],
  error: (issue) => aboveTotal(issue.input as RulesetNumbers),
});

const BoardFile = table({
  name: text(60).optional(),
  description: text(300).optional(),
  logo: z
    .string('must be a file name, such as "logo.svg"')
    .regex(
      /^[\w-][\w.-]{0,99}\.(?:svg|png|webp)$/,
      'must be the name of an .svg, .png or .webp file in the same folder, such as "logo.svg"',
    )
    .optional(),
  links: z
    .array(Link, 'must be written as [[links]]')
    .max(MAX_LINKS, `must have at most ${MAX_LINKS} entries`)
    .default([]),
  cohorts: z
    .array(CohortTable, 'must be written as [[cohorts]]')
    .max(MAX_COHORTS, `must have at most ${MAX_COHORTS} entries`)
    .refine(
      (cohorts) => new Set(cohorts.map(({ id }) => id)).size === cohorts.length,
      'must not use an id more than once',
    )
    .default([]),
  embed: z
    .array(FrameAncestor, 'must be a list, such as ["https://blog.example.org"]')
    .max(MAX_ANCESTORS, `must have at most ${MAX_ANCESTORS} entries`)
    .default([]),
  colours: table({ light: ColourTable.optional(), dark: ColourTable.optional() }).default({}),
  eligibility: Eligibility.prefault({}),
  history: table({
    values_days: whole(LEAST_VALUES_DAYS, MOST_VALUES_DAYS).default(DEFAULT_VALUES_DAYS),
  }).prefault({}),
});
export type BoardFile = z.output<typeof BoardFile>;

export function readBoardFile(content: string): { file: BoardFile } | { faults: string[] } {
  let value: unknown;
  try {
    value = parse(content);
  } catch (error) {
    const { message } = error as Error;
    return { faults: [`is not valid TOML: ${message.trim().replaceAll('\n', '\n    ')}`] };
  }
  const parsed = BoardFile.safeParse(value, IN_WORDS);
  if (parsed.success) return { file: parsed.data };
  return {
    faults: parsed.error.issues.map(({ path, message }) => {
      return path.length === 0 ? message : `${path.join('.')}: ${message}`;
    }),
  };
}

function table<Shape extends z.ZodRawShape>(shape: Shape) {
  const known = Object.keys(shape).join(', ');
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== 'unrecognized_keys') return 'must be a table';
      return `unknown ${issue.keys.length === 1 ? 'key' : 'keys'} ${issue.keys.join(', ')}. Valid keys: ${known}`;
    },
  });
}

function text(length: number) {
  return line(length).refine((content) => content !== '', 'must not be empty');
}

function whole(least: number, most: number) {
  const range = `must be a whole number from ${least} to ${most}`;
  return z.int(range).min(least, range).max(most, range);
}

function between(least: number, most: number) {
  const range = `must be a number from ${least} to ${most}`;
  return z.number(range).min(least, range).max(most, range);
}

function byWindow(
  defaults: Readonly<Record<WindowName, number>>,
  of: (days: number) => z.ZodNumber,
) {
  const numbers = Object.entries(DAYS).map(([window, days]) => {
    return [window, of(days).default(defaults[window as WindowName])];
  });
  const shape = Object.fromEntries(numbers) as Record<WindowName, z.ZodDefault<z.ZodNumber>>;
  return table(shape).prefault({});
}

function aboveTotal({ total_tokens, output_tokens }: RulesetNumbers): string {
  return `is ${output_tokens}, but must not be higher than total_tokens, which is ${total_tokens}`;
}
