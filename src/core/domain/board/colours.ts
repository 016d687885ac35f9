/**
 * The colors of a board by role. Images need them, because style sheets do not apply there, and admins can set
 * them.
 *
 * @module
 */
import colours from './colours.json' with { type: 'json' };

/** The roles of `styles/tokens.css`, each as `#rrggbb`. */
export type Colours = (typeof colours)['light'];

export type ColourRole = keyof Colours;

/** All roles, in the order of the admin's settings. */
export const COLOUR_ROLES = Object.keys(colours.light) as ColourRole[];

/** The color schemes that a reader's system can prefer. */
export const SCHEMES = ['light', 'dark'] as const;
export type Scheme = (typeof SCHEMES)[number];

/** The default colors: those of `styles/tokens.css`. */
export const DEFAULT_COLOURS: Readonly<Record<Scheme, Readonly<Colours>>> = colours;

/** Roles mixed from surface and ink, with the share of ink. */
const SHARE_OF_INK = { surfaceSunk: 0.04, line: 0.16, lineStrong: 0.55, inkSoft: 0.73 } as const;

/** Whether a role is mixed from surface and ink unless it is set itself. */
export function isMixed(role: ColourRole): role is keyof typeof SHARE_OF_INK {
  return role in SHARE_OF_INK;
}

/**
 * All colors of a scheme. If surface or ink is set, the roles between them are mixed from both. Other roles that
 * are not set have their defaults.
 */
export function completeColours(scheme: Scheme, given: Partial<Colours>): Colours {
  const colours: Colours = { ...DEFAULT_COLOURS[scheme], ...given };
  if (given.surface === undefined && given.ink === undefined) return colours;
  const { surface, ink } = colours;
  const mixed = Object.entries(SHARE_OF_INK).map(([role, share]) => [
    role,
    mix(surface, ink, share),
  ]);
  return { ...colours, ...Object.fromEntries(mixed), ...given };
}

function mix(from: string, to: string, share: number): string {
  const ends = channelsOf(to);
  const channels = channelsOf(from).map((channel, index) => {
    return Math.round(channel + share * ((ends[index] as number) - channel));
  });
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

/**
 * The contrast ratio of two colors, from 1 to 21.
 *
 * @see {@link https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio | WCAG 2.2, contrast ratio}
 */
export function contrastOf(one: string, other: string): number {
  const luminances = [luminanceOf(one), luminanceOf(other)];
  return (Math.max(...luminances) + 0.05) / (Math.min(...luminances) + 0.05);
}

function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(colour).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channelsOf(colour: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
}
