import type { ChangedProfile } from '#core/contract/profile.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { codenameTaken, giveUpCodename, isCodenameFree } from './codenames.ts';
import type { AppContext } from '../context.ts';
import { type Operator, operatorOf } from './operator.ts';
import { otherMachines } from './other-machines.ts';
import { codenameFreeAt, ownProfile } from './profile.ts';
import { changeVisibility } from './visibility.ts';

/** Changes an operator's codename, or confirms the generated one. Resolves when the public sees the change. */
export async function setCodename(
  ctx: AppContext,
  operator_id: number,
  codename: string,
): Promise<ChangedProfile> {
  const { store } = ctx;
  const { before, after } = store.transaction(() => {
    const operator = operatorOf(ctx, operator_id);
    if (codename !== operator.codename) rename(ctx, operator, codename);
    else if (operator.codename_confirmed === 0) store.operators.confirmCodename(operator_id, null);
    return { before: operator, after: operatorOf(ctx, operator_id) };
  });
  // The public does not see the codename of anonymous and private operators.
  const isSeen = after.public_name !== before.public_name && after.log_index > 0;
  if (isSeen) await ctx.publications.publishNow({ hides: true });
  return { ...ownProfile(ctx, after), ...otherMachines(ctx, isSeen) };
}

function rename(ctx: AppContext, operator: Operator, codename: string): void {
  const { store } = ctx;
  const { id, codename: former, log_index } = operator;
  const created_at = ctx.now().toISOString();
  const isMadeUp = operator.codename_confirmed === 0;
  const freeAt = codenameFreeAt(operator, ctx.now());
  if (!isMadeUp && freeAt !== null) {
    throw new DomainError(
      'codename_too_soon',
      `You can change your codename again after ${freeAt}`,
    );
  }
  if (!isCodenameFree(ctx, codename, id)) {
    throw codenameTaken(codename);
  }
  store.codenames.removeFormer(codename);
  // A name that nobody can have seen does not redirect.
  if (!isMadeUp || log_index > 0) giveUpCodename(ctx, former, id);
  changeVisibility(ctx, id, { codename });
  store.operators.confirmCodename(id, isMadeUp ? null : created_at);
  const detail = `from ${former} to ${codename}`;
  store.accountEvents.add({ operator_id: id, kind: 'codename_changed', detail, created_at });
}
