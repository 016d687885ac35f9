/** What the caller tells of itself, and what it is called. */
import * as z from 'zod';
import { Profile, ProfileChange } from '../schema/profile.ts';
import { Codename } from '../schema/scalars.ts';
import { JsonBody, defineRoute } from './route.ts';
import { AVATAR_FORM_BYTES } from './limits.ts';

const OwnProfile = {
  tag: 'account',
  limit: 'writes',
  reply: Profile,
} as const;

export const getProfile = defineRoute({
  ...OwnProfile,
  id: 'getProfile',
  method: 'GET',
  path: '/api/v1/profile',
  summary: "The caller's own profile",
  auth: 'account',
  limit: 'pages',
  errors: ['not_found'],
});

export const updateProfile = defineRoute({
  ...OwnProfile,
  id: 'updateProfile',
  method: 'POST',
  path: '/api/v1/profile',
  summary: 'Change the own profile, or how much of it everybody may see',
  description:
    'What everybody sees changes before the answer comes: the board is published anew where that is needed.',
  auth: 'account',
  body: ProfileChange,
  ...JsonBody,
  errors: ['not_found'],
});

export const CodenameChange = z
  .strictObject({ codename: Codename.describe('The new codename.') })
  .meta({ id: 'CodenameChange' });
export type CodenameChange = z.infer<typeof CodenameChange>;

export const setCodename = defineRoute({
  ...OwnProfile,
  id: 'setCodename',
  method: 'POST',
  path: '/api/v1/profile/codename',
  summary: 'Choose another codename, once in 30 days',
  description:
    'A codename that the board made up is confirmed, or replaced, once and at any time. Devices go on signing. For 90 days the old name leads to the new one, and nobody else can take it.',
  auth: 'session',
  body: CodenameChange,
  ...JsonBody,
  errors: ['codename_taken', 'codename_too_soon', 'not_found'],
});

const AvatarUpload = z
  .strictObject({
    // As everywhere in forms, each character is a byte.
    file: z
      .string()
      .min(1)
      .max(AVATAR_FORM_BYTES)
      .meta({ format: 'binary' })
      .describe('PNG, JPEG or WebP, told by its content, of at most 2 MiB.'),
  })
  .meta({ id: 'AvatarUpload' });

const OwnAvatar = {
  tag: 'account',
  path: '/api/v1/profile/avatar',
  auth: 'account',
  limit: 'writes',
  reply: Profile,
} as const;

export const setAvatar = defineRoute({
  ...OwnAvatar,
  id: 'setAvatar',
  method: 'POST',
  summary: 'Upload a picture',
  description:
    'It is cut to a square of 256 by 256 and made anew as WebP; what else the file holds, such as the place where it was taken, is not kept. Everybody sees it while the privacy mode is identified.',
  body: AvatarUpload,
  bodyLimitBytes: AVATAR_FORM_BYTES,
  accepts: ['multipart/form-data'],
  errors: ['avatar_unacceptable', 'not_found'],
});

export const removeAvatar = defineRoute({
  ...OwnAvatar,
  id: 'removeAvatar',
  method: 'DELETE',
  summary: 'Remove the picture',
  errors: ['not_found'],
});
