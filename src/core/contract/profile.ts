/** What the caller tells of itself, and what it is called. */
import * as z from 'zod';
import { Profile, ProfileChange } from '../schema/profile.ts';
import { Codename } from '../schema/scalars.ts';
import { JsonBody, NoBody, NoParams, NoQuery, defineRoute } from './route.ts';

const OwnProfile = {
  tag: 'account',
  limit: 'writes',
  cacheSeconds: 0,
  params: NoParams,
  query: NoQuery,
  reply: Profile,
  statuses: [200],
} as const;

export const getProfile = defineRoute({
  ...OwnProfile,
  id: 'getProfile',
  method: 'GET',
  path: '/api/v1/profile',
  summary: "The caller's own profile",
  auth: 'account',
  limit: 'pages',
  ...NoBody,
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
