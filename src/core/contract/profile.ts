/** The caller's profile, codename and picture. */
import * as z from 'zod';
import { object } from '../schema/object.ts';
import { Profile, ProfileChange } from '../schema/profile.ts';
import { Codename } from '../schema/scalars.ts';
import { CHANGED, otherMachinesMember } from './other-machines.ts';
import { defineRoute } from './route.ts';
import { AVATAR_FORM_BYTES } from './limits.ts';

export const getProfile = defineRoute('getProfile', { reply: Profile, auth: 'account' });

export const ChangedProfile = object('ChangedProfile', 'A profile after a change.', {
  ...Profile.shape,
  ...otherMachinesMember(CHANGED),
});
export type ChangedProfile = z.infer<typeof ChangedProfile>;

export const updateProfile = defineRoute('updateProfile', {
  reply: ChangedProfile,
  auth: 'account',
  body: ProfileChange,
});

export const CodenameChange = object('CodenameChange', {
  codename: Codename.describe('The new codename.'),
});
export type CodenameChange = z.infer<typeof CodenameChange>;

export const setCodename = defineRoute('setCodename', {
  reply: ChangedProfile,
  auth: 'session',
  body: CodenameChange,
});

const AvatarUpload = object('AvatarUpload', {
  // As in all forms, each character is a byte.
  file: z
    .string()
    .min(1)
    .max(AVATAR_FORM_BYTES)
    .meta({ format: 'binary' })
    .describe('A PNG, JPEG or WebP of at most 2 MiB. The format is detected from the content.'),
});

export const setAvatar = defineRoute('setAvatar', {
  auth: 'account',
  reply: ChangedProfile,
  body: AvatarUpload,
  bodyLimitBytes: AVATAR_FORM_BYTES,
  accepts: ['multipart/form-data'],
});

export const removeAvatar = defineRoute('removeAvatar', { auth: 'account', reply: ChangedProfile });
