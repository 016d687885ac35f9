/** Examples of what an operator tells of itself. */
import type { Profile } from '#core/schema/profile.ts';
import { setDataOptOut } from '../account.ts';
import { removeAvatar, setAvatar } from '../avatar.ts';
import { contactKeeper } from '../contact.ts';
import { exampleOf } from './example.ts';
import { AUDIENCE } from './parts.ts';
import { getProfile, setCodename, updateProfile } from '../profile.ts';

const PICTURE = 'd0f4b7b1c9e4f1a9b0c86a4c1d0f6f1b7a2e3c4d5e6f708192a3b4c5d6e7f809';

const PROFILE: Profile = {
  codename: 'ada',
  codename_confirmed: true,
  codename_free_at: null,
  public_name: 'ada',
  privacy_mode: 'identified',
  data_opt_out: false,
  display_name: 'Ada Lovelace',
  bio: 'I write programs for machines that are not built yet.',
  location: 'London',
  links: ['https://ada.example.org/'],
  cohort_id: null,
  has_avatar: true,
  avatar_url: `${AUDIENCE}/avatars/${PICTURE}.webp`,
};

export const PROFILE_EXAMPLES = [
  exampleOf(getProfile, { reply: PROFILE }),
  exampleOf(updateProfile, {
    body: { display_name: 'Ada Lovelace', location: 'London', privacy_mode: 'identified' },
    reply: PROFILE,
  }),
  exampleOf(setCodename, {
    body: { codename: 'countess' },
    reply: {
      ...PROFILE,
      codename: 'countess',
      codename_free_at: '2026-12-20T18:30:00.000Z',
      public_name: 'countess',
    },
  }),
  exampleOf(setAvatar, { body: { file: 'the bytes of the picture' }, reply: PROFILE }),
  exampleOf(removeAvatar, { reply: { ...PROFILE, has_avatar: false, avatar_url: null } }),
  exampleOf(setDataOptOut, { body: { opt_out: true }, reply: { opt_out: true } }),
  exampleOf(contactKeeper, {
    body: { subject: 'A device that is lost', message: 'May I have its snapshots withdrawn?' },
    reply: {
      id: '5b1f9c7e-3d1a-4f62-9d0e-7c8b5a4f3e21',
      created_at: '2026-11-20T18:30:00.000Z',
    },
  }),
];
