/** The caller's picture. */
import * as z from 'zod';
import { Profile } from '../schema/profile.ts';
import { AVATAR_LIMIT_BYTES } from './limits.ts';
import { NoBody, NoParams, NoQuery, defineRoute } from './route.ts';

/** What stands around the picture in a form. */
const FORM_BYTES = 16 * 1024;

const AvatarUpload = z
  .strictObject({
    // As everywhere in forms, each character is a byte.
    file: z
      .string()
      .min(1)
      .max(AVATAR_LIMIT_BYTES + FORM_BYTES)
      .meta({ format: 'binary' })
      .describe('PNG, JPEG or WebP, told by its content, of at most 2 MiB.'),
  })
  .meta({ id: 'AvatarUpload' });

const OwnAvatar = {
  tag: 'account',
  path: '/api/v1/profile/avatar',
  auth: 'account',
  limit: 'writes',
  cacheSeconds: 0,
  params: NoParams,
  query: NoQuery,
  reply: Profile,
  statuses: [200],
} as const;

export const setAvatar = defineRoute({
  ...OwnAvatar,
  id: 'setAvatar',
  method: 'POST',
  summary: 'Upload a picture',
  description:
    'It is cut to a square of 256 by 256 and made anew as WebP; what else the file holds, such as the place where it was taken, is not kept. Everybody sees it while the privacy mode is identified.',
  body: AvatarUpload,
  bodyLimitBytes: AVATAR_LIMIT_BYTES + FORM_BYTES,
  accepts: ['multipart/form-data'],
  errors: ['avatar_unacceptable', 'not_found'],
});

export const removeAvatar = defineRoute({
  ...OwnAvatar,
  id: 'removeAvatar',
  method: 'DELETE',
  summary: 'Remove the picture',
  ...NoBody,
  errors: ['not_found'],
});
