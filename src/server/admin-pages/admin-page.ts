/** Who may open an admin page and use its forms. Pages are opened with a session only, never with a token or key. */
import {
  type AdminRight,
  hasRight,
  isRecent,
  mayActOn,
  needsSignIn,
} from '#core/domain/account/admin-right.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import type { Role } from '#core/schema/account.ts';
import type { SessionCaller } from '../http/request/caller.ts';
import { type FormPage, chosen, seeOther } from '../http/request/forms.ts';
import { answerOwnForm, readOwner } from '../http/signed-in-page.ts';
import type { Actor } from '../process/admin-actions.ts';

type AdminPage = FormPage & { url: URL; rewrite(path: string): Promise<Response> };

/** The admin or moderator who opened a page. */
export interface Admin extends SessionCaller {
  codename: string;
  role: Role;
  actor: Actor;
  /** Whether the sign-in is recent enough for sensitive actions. */
  isRecent: boolean;
}

/**
 * Returns the admin or moderator who opened a page, or the response for anybody else: operators without the right get
 * the page for unknown addresses, and visitors are sent to the sign-in page.
 */
export async function readAdmin(page: AdminPage, right: AdminRight): Promise<Admin | Response> {
  const { ctx } = page.locals;
  const owner = await readOwner(page, page.url.pathname + page.url.search);
  if (owner instanceof Response) return owner;
  const { operator_id } = owner.caller;
  const operator = ctx.store.operators.byId(operator_id);
  if (!operator || !hasRight(operator.role, right)) return page.rewrite('/404');
  return {
    ...owner,
    codename: operator.codename,
    role: operator.role,
    actor: { operator_id, via: 'page' },
    isRecent: isRecent(owner.signedInAt, ctx.now()),
  };
}

/** What each button of an admin page does, and the right that it requires. */
type AdminActions<Outcome> = Readonly<
  Record<string, { right: AdminRight; act: (form: FormData) => Outcome | Promise<Outcome> }>
>;

/**
 * Runs the action of the pressed button. A sensitive action without a recent sign-in leads to the sign-in page, which
 * leads back.
 */
export async function answerAdminForm<Outcome>(
  page: AdminPage,
  admin: Admin,
  actions: AdminActions<Outcome>,
) {
  return answerOwnForm<Outcome | Response>(page, admin, (form) => {
    const guarded = Object.entries(actions).map(([name, { right, act }]) => {
      return [name, () => guardedAct(page, admin, right, () => act(form))] as const;
    });
    return chosen<Outcome | Response>(form, Object.fromEntries(guarded));
  });
}

function guardedAct<Outcome>(
  page: AdminPage,
  admin: Admin,
  right: AdminRight,
  act: () => Outcome | Promise<Outcome>,
): Outcome | Response | Promise<Outcome> {
  if (!hasRight(admin.role, right)) {
    throw new DomainError('role_required', `A ${admin.role} cannot do this`);
  }
  if (needsSignIn(right, admin.signedInAt, page.locals.ctx.now())) {
    return seeOther(signInAgain(page.url, true));
  }
  return act();
}

/**
 * The page on which a signed-in person proves again who they are, and which then leads back.
 *
 * @param isLost Whether a form was sent and not saved.
 */
export function signInAgain({ pathname, search }: URL, isLost = false): string {
  const query = { return_to: pathname + search, again: '1', ...(isLost && { lost: 'form' }) };
  return `/login?${new URLSearchParams(query).toString()}`;
}

/**
 * Rejects an action on the account of another moderator or admin, unless an admin acts.
 *
 * @throws {DomainError} `role_required`.
 */
export function refuseActingOn(admin: Pick<Admin, 'role'>, other: { role: Role }): void {
  if (mayActOn(admin.role, other.role)) return;
  throw new DomainError(
    'role_required',
    'Only admins can change accounts of moderators and admins',
  );
}
