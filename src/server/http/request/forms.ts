/** What pages need to answer: their headers, and forms that work without script. */
import type { SignInBrowser } from '#server/identity/sign-in/sign-in.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { readPageForm } from './body.ts';
import { refuseCrossSite } from './cross-site.ts';
import { logFailedRequest, retryHeaders, storageRefusal } from '../response/problem.ts';
import { type FormRefusal, refusalOf } from '../response/refusal.ts';
import { MAX_LINKS } from '#core/schema/profile.ts';
import type { SignInPurpose } from '#core/schema/account.ts';
import { mailerFor } from '#server/mail/mailer.ts';

/** What a form's handler reads of the page that it belongs to. */
export interface FormPage {
  request: Request;
  response: { status?: number | undefined; headers: Headers };
  locals: App.Locals;
}

/** The headers of a page whose address is nobody's business. */
export function secretPage({ response }: Pick<FormPage, 'response'>): void {
  response.headers.set('Referrer-Policy', 'no-referrer');
}

/** Sends the reader on with GET, so that reloading repeats nothing, and tells nobody from where. */
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
 * Lets `act` handle the form that was posted to a page; does nothing where the page is only read.
 * A refusal sets the page's status and is returned, for the page to show.
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

/** Sets a page's status to what was thrown, and tells the refusal that it shows; a bug is thrown on. */
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

/** A field's text; empty if the form has none. */
export function field(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}

/** A file's bytes; none if the form has no such file. */
export async function fileOf(form: FormData, name: string): Promise<Uint8Array> {
  const value = form.get(name);
  return value instanceof Blob ? new Uint8Array(await value.arrayBuffer()) : new Uint8Array();
}

/** Does what the pressed button stands for: its name is `action`, its value a key of `actions`. */
export function chosen<Outcome>(
  form: FormData,
  actions: Readonly<Record<string, () => Outcome | Promise<Outcome>>>,
): Outcome | Promise<Outcome> {
  const name = field(form, 'action');
  const act = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (act) return act();
  throw new DomainError('validation_failed', 'The form asks for nothing that is known here');
}

/**
 * Lets a form pass only if what was typed serves.
 *
 * @throws {DomainError} `validation_failed`, saying what to do.
 */
export function refuseUnless(serves: boolean, whatToDo: string): void {
  if (!serves) throw new DomainError('validation_failed', whatToDo);
}

/** What the form of the profile holds, as it was typed; links without the empty ones between them. */
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

/** What a request tells of the browser that signs in. */
export function signingIn({ headers }: Request): SignInBrowser {
  return { cookieHeader: headers.get('cookie'), userAgent: headers.get('user-agent') };
}

/** What a form asks to be mailed, and whom to count it by. */
export function mailRequest(
  { request, locals }: Pick<FormPage, 'locals' | 'request'>,
  address: string,
  purpose: SignInPurpose,
) {
  const { ctx, client, peer } = locals;
  const mailer = mailerFor(ctx, { request, peer });
  return { address, purpose, client, mailer, cookieHeader: request.headers.get('cookie') };
}

/** Does what a page is visited for, a step on the way; a refusal is for the page to show. */
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
