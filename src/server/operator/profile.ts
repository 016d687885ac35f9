import type { Operator } from '#db/operators.ts';
import { DAY_MS } from '#core/domain/counting/day.ts';
import { showsProfile } from '#core/domain/board/visibility.ts';
import type { Profile, ShownProfile } from '#core/schema/profile.ts';
import type { AppContext } from '../context.ts';

const CODENAME_DAYS = 30;

const NOTHING_SHOWN: ShownProfile = {
  display_name: null,
  bio: null,
  location: null,
  links: null,
  avatar_url: null,
  cohort: null,
};

export function shownProfile(ctx: AppContext, operator: Operator): ShownProfile {
  if (!isProfileShown(operator)) return NOTHING_SHOWN;
  const { display_name, bio, location, cohort_id } = operator;
  return {
    display_name,
    bio,
    location,
    links: linksOf(operator),
    avatar_url: avatarUrl(ctx, operator),
    cohort: ctx.config.signIn.cohorts.find(({ id }) => id === cohort_id) ?? null,
  };
}

/** Whether an operator's profile is public: if the privacy mode shows it and the admin has not hidden the operator. */
export function isProfileShown({
  privacy_mode,
  hidden_at,
}: Pick<Operator, 'hidden_at' | 'privacy_mode'>): boolean {
  return showsProfile(privacy_mode) && hidden_at === null;
}

/** The public URL of an operator's picture; null while it is not public. */
export function avatarUrl({ store, config }: AppContext, operator: Operator): string | null {
  const hash = isProfileShown(operator) ? store.avatars.hashOf(operator.id) : undefined;
  return hash === undefined ? null : `${config.baseUrl}/avatars/${hash}.webp`;
}

export function ownProfile(ctx: AppContext, operator: Operator): Profile {
  const { codename, public_name, privacy_mode, display_name, bio, location, cohort_id } = operator;
  return {
    codename,
    codename_confirmed: operator.codename_confirmed === 1,
    codename_free_at: codenameFreeAt(operator, ctx.now()),
    public_name,
    privacy_mode,
    data_opt_out: operator.data_opt_out === 1,
    display_name,
    bio,
    location,
    links: linksOf(operator),
    cohort_id,
    has_avatar: ctx.store.avatars.hashOf(operator.id) !== undefined,
    avatar_url: avatarUrl(ctx, operator),
  };
}

/** The time from which a codename can be changed again; null if it can be changed now. */
export function codenameFreeAt({ renamed_at }: Operator, now: Date): string | null {
  if (renamed_at === null) return null;
  const freeAt = new Date(Date.parse(renamed_at) + CODENAME_DAYS * DAY_MS);
  return freeAt > now ? freeAt.toISOString() : null;
}

function linksOf({ links }: Operator): string[] {
  return JSON.parse(links) as string[];
}
