/** Pages that show a signed-in person what is its own, and change it. */
import { type SessionCaller, sessionCaller } from './request/caller.ts';
import { type FormPage, answerForm, seeOther } from './request/forms.ts';
import type { FormRefusal } from './response/refusal.ts';

type SignedInPage = FormPage & { url: URL };

/**
 * Who a page is for; an answer that leads to the sign-in and back if nobody is signed in.
 *
 * @param returnTo Where back to: the page's path, unless its query is worth keeping.
 */
export async function readOwner(page: SignedInPage, returnTo = page.url.pathname) {
  return (await readOwnerIfAny(page)) ?? seeOther(signInAt(page, returnTo));
}

/** Who a page is for; null if nobody is signed in. */
export async function readOwnerIfAny(page: SignedInPage): Promise<SessionCaller | null> {
  const session = await sessionCaller(page.locals.ctx, page.request);
  if (session?.setCookie) page.response.headers.append('Set-Cookie', session.setCookie);
  return session;
}

/** Who sent a form is told that it is lost. */
function signInAt({ request }: SignedInPage, returnTo: string): string {
  const isLost = request.method === 'POST';
  const query = { return_to: returnTo, ...(isLost && { lost: 'form' }) };
  return `/login?${new URLSearchParams(query).toString()}`;
}

/** Lets `act` handle a form, as a write of its operator. */
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

/** What the action itself says of the session comes later, and so wins. */
function setFirst({ headers }: Response, cookie: string): void {
  const cookies = [cookie, ...headers.getSetCookie()];
  headers.delete('Set-Cookie');
  cookies.forEach((each) => headers.append('Set-Cookie', each));
}

/** Leads on to a page that says what was done; `code` names the sentence. */
export function doneAt(path: string, code: string): Response {
  return seeOther(`${path}?done=${code}`);
}

/** The sentence that the address's `done` names; null if it names none. */
export function doneText({ url }: SignedInPage, texts: Readonly<Record<string, string>>) {
  const code = url.searchParams.get('done') ?? '';
  return Object.hasOwn(texts, code) ? (texts[code] ?? null) : null;
}
