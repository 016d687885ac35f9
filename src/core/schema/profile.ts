/** What operators tell of themselves. */
import * as z from 'zod';
import { object } from './object.ts';
import { line, lines, list } from './texts.ts';
import { CohortId } from './operator.ts';
import { PrivacyMode } from './record.ts';
import { Codename, Timestamp } from './scalars.ts';

/** The longest texts, in code points. */
export const PROFILE_LENGTHS = { display_name: 80, bio: 500, location: 80, link: 200 } as const;
export const MAX_LINKS = 3;

const DisplayName = line(PROFILE_LENGTHS.display_name);
const Bio = lines(PROFILE_LENGTHS.bio);
const Location = line(PROFILE_LENGTHS.location);

/** Also asked of what was found to be no address. */
function hasNoCredentials(text: string): boolean {
  const url = URL.parse(text);
  return url === null || (url.username === '' && url.password === '');
}

const Link = z
  .url({ protocol: /^https$/, normalize: true, error: 'must be an address that begins https://' })
  .max(PROFILE_LENGTHS.link, `must have at most ${PROFILE_LENGTHS.link} characters`)
  .refine(hasNoCredentials, 'must not hold a user name or password');

export const Cohort = object('Cohort', 'A group that the keeper declared.', {
  id: CohortId,
  name: z.string().describe('As the keeper named it.'),
});
export type Cohort = z.infer<typeof Cohort>;

const NOT_SHOWN = 'null unless the operator is identified';

export const ShownProfile = z.strictObject({
  display_name: z.string().nullable().describe(`The operator's name; ${NOT_SHOWN}.`),
  bio: z.string().nullable().describe(`What the operator tells; may have lines; ${NOT_SHOWN}.`),
  location: z.string().nullable().describe(`Where the operator is; ${NOT_SHOWN}.`),
  links: z.array(z.url()).nullable().describe(`Up to ${MAX_LINKS} addresses; ${NOT_SHOWN}.`),
  avatar_url: z.url().nullable().describe(`A picture, WebP, 256 by 256; ${NOT_SHOWN}.`),
  cohort: Cohort.nullable().describe(`Null without one, and ${NOT_SHOWN}.`),
});
export type ShownProfile = z.infer<typeof ShownProfile>;

export const Profile = object('Profile', 'A profile as its owner sees it.', {
  codename: Codename,
  codename_confirmed: z.boolean().describe('False while the board made the codename up.'),
  codename_free_at: Timestamp.nullable().describe(
    'From when on the codename can be changed again; null if it can be now.',
  ),
  public_name: z
    .string()
    .nullable()
    .describe('What the public calls the operator; null while private.'),
  privacy_mode: PrivacyMode.describe('How much of the operator everybody may see.'),
  data_opt_out: z.boolean().describe('Whether the data stay out of corpus and aggregates.'),
  display_name: z.string().nullable().describe('Null if there is none.'),
  bio: z.string().nullable().describe('Null if there is none.'),
  location: z.string().nullable().describe('Null if there is none.'),
  links: z.array(z.url()).describe('Addresses, in the order given.'),
  cohort_id: CohortId.nullable().describe('Null if the operator joined none.'),
  has_avatar: z.boolean().describe('Whether a picture is kept.'),
  avatar_url: z
    .url()
    .nullable()
    .describe('Where everybody gets the picture; null while nobody can.'),
});
export type Profile = z.infer<typeof Profile>;

const CLEARS = 'Null or empty: none.';

export const ProfileChange = z
  .strictObject({
    display_name: DisplayName.nullable()
      .optional()
      .describe(`At most ${PROFILE_LENGTHS.display_name} visible characters. ${CLEARS}`),
    bio: Bio.nullable()
      .optional()
      .describe(`At most ${PROFILE_LENGTHS.bio} visible characters and line breaks. ${CLEARS}`),
    location: Location.nullable()
      .optional()
      .describe(`At most ${PROFILE_LENGTHS.location} visible characters. ${CLEARS}`),
    links: list(Link, {
      max: MAX_LINKS,
      words: {
        noList: 'must be a list of addresses',
        tooLong: `must have at most ${MAX_LINKS} addresses`,
      },
    })
      .nullable()
      .optional()
      .describe(`Up to ${MAX_LINKS} addresses that begin https://. ${CLEARS}`),
    privacy_mode: PrivacyMode.optional().describe('How much of the operator everybody may see.'),
    cohort_id: z
      .string()
      .trim()
      .max(30, 'must have at most 30 characters')
      .nullable()
      .optional()
      .describe(`One that the keeper declared. ${CLEARS}`),
  })
  .describe('What to change; a member that is absent stays as it is.')
  .meta({ id: 'ProfileChange' });
export type ProfileChange = z.infer<typeof ProfileChange>;
