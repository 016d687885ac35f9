/** Pages that show a signed-in person what is its own, and change it. */
import { type SessionCaller, sessionCaller } from './caller.ts';
import { type FormPage, type Refusal, answerForm, privatePage, seeOther } from './forms.ts';

export type OwnPage = FormPage & { url: URL };

/** Who a page is for; an answer that leads to the sign-in and back if nobody is signed in. */
export async function readOwner(page: OwnPage): Promise<SessionCaller | Response> {
  const session = await sessionCaller(page.locals.ctx, page.request);
  if (!session) return seeOther(`/login?return_to=${encodeURIComponent(page.url.pathname)}`);
  privatePage(page);
  if (session.setCookie) page.response.headers.append('Set-Cookie', session.setCookie);
  return session;
}

/** Lets `act` handle a form, as a write of its operator. */
export async function answerOwnForm<Outcome>(
  page: OwnPage,
  { caller, setCookie }: SessionCaller,
  act: (form: FormData) => Outcome | Promise<Outcome>,
): Promise<{ outcome: Outcome | null; refusal: Refusal | null }> {
  const { limiter } = page.locals.ctx;
  const answer = await answerForm(page, (form) => {
    limiter.take('writes', String(caller.operator_id));
    return act(form);
  });
  const { outcome } = answer;
  if (outcome instanceof Response && setCookie !== null && !outcome.headers.has('Set-Cookie')) {
    outcome.headers.append('Set-Cookie', setCookie);
  }
  return answer;
}

/** Leads on to a page that says what was done; `code` names the sentence. */
export function doneAt(path: string, code: string): Response {
  return seeOther(`${path}?done=${code}`);
}

/** The sentence that the address's `done` names; null if it names none. */
export function doneText({ url }: OwnPage, texts: Readonly<Record<string, string>>): string | null {
  const code = url.searchParams.get('done') ?? '';
  return Object.hasOwn(texts, code) ? (texts[code] ?? null) : null;
}
