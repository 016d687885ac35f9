/** The admin's colors: checks their contrast, and makes the style sheet with them. */
import {
  COLOUR_ROLES,
  type ColourRole,
  type Colours,
  DEFAULT_COLOURS,
  SCHEMES,
  type Scheme,
  completeColours,
  contrastOf,
  isMixed,
} from '#core/domain/board/colours.ts';

/** The lowest contrast of each role with both surfaces. All roles except the last are used for text. */
const LEAST: Partial<Readonly<Record<ColourRole, number>>> = {
  ink: 7,
  inkSoft: 4.5,
  accent: 4.5,
  warn: 4.5,
  lineStrong: 3,
};

type Given = { [Of in Scheme]?: Readonly<Record<string, string | undefined>> | undefined };

export function coloursOf(given: Given): Record<Scheme, Colours> {
  return {
    light: completeColours('light', rolesIn(given.light)),
    dark: completeColours('dark', rolesIn(given.dark)),
  };
}

/** Colors with too little contrast, each with the measured and the required contrast. */
export function unreadable(given: Given, colours: Readonly<Record<Scheme, Colours>>): string[] {
  return SCHEMES.flatMap((scheme) => {
    const own = rolesIn(given[scheme]);
    return COLOUR_ROLES.flatMap((role) => {
      const least = LEAST[role];
      const worst = worstGround(colours[scheme], role);
      if (least === undefined || worst.contrast >= least) return [];
      const measured = Math.floor(worst.contrast * 100) / 100;
      const origin = own[role] === undefined ? `, ${originOf(role, own)},` : '';
      return [
        `colours.${scheme}.${keyOf(role)}: ${colours[scheme][role]}${origin} has a contrast of ` +
          `${measured} on ${keyOf(worst.ground)} ${colours[scheme][worst.ground]}. It must be at least ${least}`,
      ];
    });
  });
}

/** CSS that sets the roles with a color that differs from its default; empty if none do. */
export function colourStyle({ light, dark }: Readonly<Record<Scheme, Colours>>): string {
  const own = COLOUR_ROLES.filter((role) => {
    return light[role] !== DEFAULT_COLOURS.light[role] || dark[role] !== DEFAULT_COLOURS.dark[role];
  });
  if (own.length === 0) return '';
  const set = own.map((role) => {
    return `    --${keyOf(role, '-')}: light-dark(${light[role]}, ${dark[role]});\n`;
  });
  // Readers who need more contrast, or colors of their own, get those.
  return `@media (forced-colors: none) and (not (prefers-contrast: more)) {\n  :root {\n${set.join('')}  }\n}\n`;
}

/** The name of a role in `board.toml` or, with the joint `-`, in CSS. */
export function keyOf(role: ColourRole, joint = '_'): string {
  return role.replaceAll(/[A-Z]/g, (letter) => joint + letter.toLowerCase());
}

function rolesIn(given: Given[Scheme] = {}): Partial<Colours> {
  const roles = COLOUR_ROLES.flatMap((role) => {
    const colour = given[keyOf(role)];
    return colour === undefined ? [] : [[role, colour]];
  });
  return Object.fromEntries(roles) as Partial<Colours>;
}

function worstGround(colours: Colours, role: ColourRole) {
  const grounds = (['surface', 'surfaceSunk'] as const).map((ground) => {
    return { ground, contrast: contrastOf(colours[role], colours[ground]) };
  });
  const [first, second] = grounds as [(typeof grounds)[number], (typeof grounds)[number]];
  return second.contrast < first.contrast ? second : first;
}

function originOf(role: ColourRole, own: Partial<Colours>): string {
  const follows = own.surface !== undefined || own.ink !== undefined;
  return isMixed(role) && follows ? 'mixed from surface and ink' : 'the default';
}
