/** Helpers for pages: headers, and forms that work without JavaScript. */
import type { SignInBrowser } from '#server/identity/sign-in/sign-in.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { readPageForm } from './body.ts';
import { refuseCrossSite } from './cross-site.ts';
import { logFailedRequest, retryHeaders, storageRefusal } from '../response/problem.ts';
import { type FormRefusal, refusalOf } from '../response/refusal.ts';
import { MAX_LINKS } from '#core/schema/profile.ts';
import type { SignInPurpose } from '#core/schema/account.ts';
import { mailerFor } from '#server/mail/mailer.ts';

/** The part of a page that a form's handler uses. */
export interface FormPage {
  request: Request;
  response: { status?: number | undefined; headers: Headers };
  locals: App.Locals;
}

/** Sets the headers of a page whose address must stay secret. */
export function secretPage({ response }: Pick<FormPage, 'response'>): void {
  response.headers.set('Referrer-Policy', 'no-referrer');
}

/** Redirects with GET, so that reloading repeats nothing, and without a referrer. */
export function seeOther(location: string, cookies: readonly string[] = []): Response {
  const headers = new Headers({
    Location: location,
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
  });
  cookies.forEach((cookie) => headers.append('Set-Cookie', cookie));
  return new Response(null, { status: 303, headers });
}

/**
 * Runs `act` on a form that was posted to a page; does nothing for GET. An error sets the page's status and is
 * returned, so that the page can show it.
 */
export async function answerForm<Outcome>(
  page: FormPage,
  act: (form: FormData) => Outcome | Promise<Outcome>,
): Promise<{ outcome: Outcome | null; refusal: FormRefusal | null }> {
  const { request, locals } = page;
  if (request.method !== 'POST') return { outcome: null, refusal: null };
  try {
    refuseCrossSite(request.headers, locals.ctx.config.baseUrl);
    if (locals.refusedBody) throw locals.refusedBody;
    return { outcome: await act(await readPageForm(request)), refusal: null };
  } catch (error) {
    return { outcome: null, refusal: refuse(page, error) };
  }
}

/** Sets a page's status for an error and returns what the page shows. Rethrows bugs. */
export function refuse(
  { response, locals }: Pick<FormPage, 'locals' | 'response'>,
  error: unknown,
): FormRefusal {
  const refused = error instanceof DomainError ? error : storageRefusal(error);
  if (!refused) throw error;
  if (refused !== error) logFailedRequest(locals.ctx.logger, error, locals.requestId);
  const refusal = refusalOf(refused);
  response.status = refusal.status;
  const fields = Object.entries(retryHeaders(refusal.status, error));
  fields.forEach(([name, value]) => response.headers.set(name, value));
  return refusal;
}

/** The text of a field; empty if the form does not have it. */
export function field(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}

/** The bytes of a file; empty if the form does not have it. */
export async function fileOf(form: FormData, name: string): Promise<Uint8Array> {
  const value = form.get(name);
  return value instanceof Blob ? new Uint8Array(await value.arrayBuffer()) : new Uint8Array();
}

/** Runs the action of the pressed button: its name is `action`, its value a key of `actions`. */
export function chosen<Outcome>(
  form: FormData,
  actions: Readonly<Record<string, () => Outcome | Promise<Outcome>>>,
): Outcome | Promise<Outcome> {
  const name = field(form, 'action');
  const act = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (act) return act();
  throw new DomainError('validation_failed', 'Unknown form action. Reload the page and try again');
}

/**
 * Rejects a form whose input is not usable.
 *
 * @throws {DomainError} `validation_failed`, with what to do.
 */
export function refuseUnless(serves: boolean, whatToDo: string): void {
  if (!serves) throw new DomainError('validation_failed', whatToDo);
}

/** The profile form's input, unchanged except that empty links are left out. */
interface ProfileInForm {
  display_name: string;
  bio: string;
  location: string;
  links: string[];
  cohort_id: string;
}

export function readProfileForm(form: FormData): ProfileInForm {
  const links = Array.from({ length: MAX_LINKS }, (_, at) => field(form, `link-${at + 1}`).trim());
  return {
    display_name: field(form, 'display_name'),
    bio: field(form, 'bio'),
    location: field(form, 'location'),
    links: links.filter((link) => link !== ''),
    cohort_id: field(form, 'cohort_id'),
  };
}

/** What a request reveals about the browser that signs in. */
export function signingIn({ headers }: Request): SignInBrowser {
  return { cookieHeader: headers.get('cookie'), userAgent: headers.get('user-agent') };
}

/** The address to which a form requests an email, and the client against which it counts. */
export function mailRequest(
  { request, locals }: Pick<FormPage, 'locals' | 'request'>,
  address: string,
  purpose: SignInPurpose,
) {
  const { ctx, client, peer } = locals;
  const mailer = mailerFor(ctx, { request, peer });
  return { address, purpose, client, mailer, cookieHeader: request.headers.get('cookie') };
}

/** Runs one step for which a page is visited. Errors are returned for the page to show. */
export async function answerVisit<Outcome>(
  page: Pick<FormPage, 'locals' | 'response'>,
  act: () => Promise<Outcome>,
): Promise<{ outcome: Outcome | null; refusal: FormRefusal | null }> {
  try {
    return { outcome: await act(), refusal: null };
  } catch (error) {
    return { outcome: null, refusal: refuse(page, error) };
  }
}
