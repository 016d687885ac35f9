/** The profile of an operator. */
import * as z from 'zod';
import { object } from './object.ts';
import { line, lines, list } from './texts.ts';
import { CohortId } from './operator.ts';
import { PrivacyMode } from './record.ts';
import { Codename, Timestamp } from './scalars.ts';

/** Maximum lengths in code points. */
export const PROFILE_LENGTHS = { display_name: 80, bio: 500, location: 80, link: 200 } as const;
export const MAX_LINKS = 3;

const DisplayName = line(PROFILE_LENGTHS.display_name);
const Bio = lines(PROFILE_LENGTHS.bio);
const Location = line(PROFILE_LENGTHS.location);

/** True for text that is not a URL; another check reports that. */
function hasNoCredentials(text: string): boolean {
  const url = URL.parse(text);
  return url === null || (url.username === '' && url.password === '');
}

const Link = z
  .url({ protocol: /^https$/, normalize: true, error: 'must be a URL that begins with https://' })
  .max(PROFILE_LENGTHS.link, `must have at most ${PROFILE_LENGTHS.link} characters`)
  .refine(hasNoCredentials, 'must not contain a user name or password');

export const Cohort = object('Cohort', 'A group that the admin defined.', {
  id: CohortId,
  name: z.string().describe('The name that the admin gave it.'),
});
export type Cohort = z.infer<typeof Cohort>;

const NOT_SHOWN = 'null unless the operator is identified';

export const ShownProfile = z.strictObject({
  display_name: z.string().nullable().describe(`The operator's name; ${NOT_SHOWN}.`),
  bio: z
    .string()
    .nullable()
    .describe(`Text about the operator; can have several lines; ${NOT_SHOWN}.`),
  location: z.string().nullable().describe(`Where the operator is; ${NOT_SHOWN}.`),
  links: z.array(z.url()).nullable().describe(`Up to ${MAX_LINKS} URLs; ${NOT_SHOWN}.`),
  avatar_url: z
    .url()
    .nullable()
    .describe(`The profile picture, a WebP of 256 by 256 pixels; ${NOT_SHOWN}.`),
  cohort: Cohort.nullable().describe(`The operator's cohort; null without one, and ${NOT_SHOWN}.`),
});
export type ShownProfile = z.infer<typeof ShownProfile>;

export const Profile = object('Profile', 'A profile as its owner sees it.', {
  codename: Codename,
  codename_confirmed: z
    .boolean()
    .describe('False while the codename is one that the board generated.'),
  codename_free_at: Timestamp.nullable().describe(
    'When the codename can be changed again; null if it can be changed now.',
  ),
  public_name: z.string().nullable().describe('The name that the public sees; null while private.'),
  privacy_mode: PrivacyMode.describe('How much of the operator is public.'),
  data_opt_out: z
    .boolean()
    .describe('Whether the records are left out of the corpus, medians and cohort boards.'),
  display_name: z.string().nullable().describe('Null if there is none.'),
  bio: z.string().nullable().describe('Null if there is none.'),
  location: z.string().nullable().describe('Null if there is none.'),
  links: z.array(z.url()).describe('URLs, in the order given.'),
  cohort_id: CohortId.nullable().describe('The cohort that the operator joined; null without one.'),
  has_avatar: z.boolean().describe('Whether a picture is stored.'),
  avatar_url: z
    .url()
    .nullable()
    .describe('The public URL of the picture; null while it is not public.'),
});
export type Profile = z.infer<typeof Profile>;

const CLEARS = 'Null or empty removes it.';

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
        noList: 'must be a list of URLs',
        tooLong: `must have at most ${MAX_LINKS} URLs`,
      },
    })
      .nullable()
      .optional()
      .describe(`Up to ${MAX_LINKS} URLs that begin with https://. ${CLEARS}`),
    privacy_mode: PrivacyMode.optional().describe('How much of the operator is public.'),
    cohort_id: z
      .string()
      .trim()
      .max(30, 'must have at most 30 characters')
      .nullable()
      .optional()
      .describe(`A cohort that the admin defined. ${CLEARS}`),
  })
  .describe('The members to change. Absent members stay as they are.')
  .meta({ id: 'ProfileChange' });
export type ProfileChange = z.infer<typeof ProfileChange>;
