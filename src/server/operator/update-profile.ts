import type { ChangedProfile } from '#core/contract/profile.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import type { ProfileChange } from '#core/schema/profile.ts';
import type { AppContext } from '../context.ts';
import { type Operator, type ProfileRow, operatorOf } from './operator.ts';
import { otherMachines } from './other-machines.ts';
import { ownProfile, shownProfile } from './profile.ts';
import { changeVisibility, countShowing } from './visibility.ts';

/** Changes an operator's profile and privacy mode. Resolves when the public sees the change. */
export async function updateProfile(
  ctx: AppContext,
  operator_id: number,
  change: ProfileChange,
): Promise<ChangedProfile> {
  refuseUnknownCohort(ctx, change);
  const { store } = ctx;
  const { was, is, after } = store.transaction(() => {
    const operator = operatorOf(ctx, operator_id);
    store.operators.setProfile(operator_id, changed(operator, change));
    const { privacy_mode = operator.privacy_mode } = change;
    const isSwitched = privacy_mode !== operator.privacy_mode;
    if (isSwitched) changeVisibility(ctx, operator_id, { privacy_mode });
    const after = operatorOf(ctx, operator_id);
    const sides = { was: publicSide(ctx, operator), is: publicSide(ctx, after) };
    const closes = operator.is_open > after.is_open;
    const shows = !closes && sides.is.some((part) => !sides.was.includes(part));
    if (shows && after.log_index > 0) countShowing(ctx, operator_id);
    return { ...sides, after };
  });
  const isSeen = String(was) !== String(is) && after.log_index > 0;
  const hides = isSeen && was.some((part) => !is.includes(part));
  if (isSeen) await ctx.publications.publishNow({ hides });
  return { ...ownProfile(ctx, after), ...otherMachines(ctx, hides) };
}

/** The public parts of an operator except usage, for comparison. */
function publicSide(ctx: AppContext, operator: Operator): string[] {
  const { public_name, is_open } = operator;
  const parts = { public_name, is_open, ...shownProfile(ctx, operator) };
  return Object.entries(parts)
    .filter(([, value]) => (Array.isArray(value) ? value.length > 0 : Boolean(value)))
    .map((part) => JSON.stringify(part));
}

/** The whole profile after a change. Null and empty values clear a field. */
function changed(operator: Operator, change: ProfileChange): ProfileRow {
  const { display_name, bio, location, links, cohort_id } = { ...operator, ...change };
  return {
    display_name: display_name || null,
    bio: bio || null,
    location: location || null,
    links: typeof links === 'string' ? links : JSON.stringify(links ?? []),
    cohort_id: cohort_id || null,
  };
}

function refuseUnknownCohort({ config }: AppContext, { cohort_id }: ProfileChange): void {
  const { cohorts } = config.signIn;
  if (!cohort_id || cohorts.some(({ id }) => id === cohort_id)) return;
  const known = cohorts.map(({ id }) => id).join(', ');
  const detail = known
    ? `must be one of ${known}`
    : 'must be null, because this board has no cohorts';
  const fault = { pointer: '#/cohort_id', code: 'invalid_value', detail };
  throw new DomainError('validation_failed', `There is no cohort ${cohort_id}`, [fault]);
}
