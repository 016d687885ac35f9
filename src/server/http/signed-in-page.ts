/** Pages on which signed-in operators see and change their own data. */
import { type SessionCaller, sessionCaller } from './request/caller.ts';
import { type FormPage, answerForm, seeOther } from './request/forms.ts';
import type { FormRefusal } from './response/refusal.ts';

type SignedInPage = FormPage & { url: URL };

/**
 * Returns the signed-in operator, or a response that redirects to the sign-in page if there is none.
 *
 * @param returnTo Where to continue after signing in: the page's path, unless its query must be kept.
 */
export async function readOwner(page: SignedInPage, returnTo = page.url.pathname) {
  return (await readOwnerIfAny(page)) ?? seeOther(signInAt(page, returnTo));
}

/** Returns the signed-in operator, or null. */
export async function readOwnerIfAny(page: SignedInPage): Promise<SessionCaller | null> {
  const session = await sessionCaller(page.locals.ctx, page.request);
  if (session?.setCookie) page.response.headers.append('Set-Cookie', session.setCookie);
  return session;
}

/** If a form was sent, the sign-in page says that its input is lost. */
function signInAt({ request }: SignedInPage, returnTo: string): string {
  const isLost = request.method === 'POST';
  const query = { return_to: returnTo, ...(isLost && { lost: 'form' }) };
  return `/login?${new URLSearchParams(query).toString()}`;
}

/** Runs `act` on a form, as a write by its operator. */
export async function answerOwnForm<Outcome>(
  page: SignedInPage,
  { caller, setCookie }: SessionCaller,
  act: (form: FormData) => Outcome | Promise<Outcome>,
): Promise<{ outcome: Outcome | null; refusal: FormRefusal | null }> {
  const { limiter } = page.locals.ctx;
  const answer = await answerForm(page, (form) => {
    limiter.take('writes', String(caller.operator_id));
    return act(form);
  });
  const { outcome } = answer;
  if (outcome instanceof Response && setCookie !== null) setFirst(outcome, setCookie);
  return answer;
}

/** The action's own session cookie follows and so takes precedence. */
function setFirst({ headers }: Response, cookie: string): void {
  const cookies = [cookie, ...headers.getSetCookie()];
  headers.delete('Set-Cookie');
  cookies.forEach((each) => headers.append('Set-Cookie', each));
}

/** Redirects to a page that confirms the action. `code` selects the sentence. */
export function doneAt(path: string, code: string): Response {
  return seeOther(`${path}?done=${code}`);
}

/** The sentence that `done` in the page's URL selects; null if none. */
export function doneText({ url }: SignedInPage, texts: Readonly<Record<string, string>>) {
  const code = url.searchParams.get('done') ?? '';
  return Object.hasOwn(texts, code) ? (texts[code] ?? null) : null;
}
