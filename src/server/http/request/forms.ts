/** What pages need to answer: their headers, and forms that work without script. */
import { DomainError } from '#core/domain/text/errors.ts';
import { FORM_MEDIA_TYPE, mediaTypeOf } from './body.ts';
import { refuseCrossSite } from './cross-site.ts';
import { logFailedRequest, retryHeaders, storageRefusal } from '../response/problem.ts';
import { type Refusal, refusalOf } from '../response/refusal.ts';

/** What a form's handler reads of the page that it belongs to. */
export interface FormPage {
  request: Request;
  response: { status?: number | undefined; headers: Headers };
  locals: App.Locals;
}

const HTML = 'text/html; charset=utf-8';
const URL_ENCODED = 'application/x-www-form-urlencoded';
const FORM_MEDIA_TYPES = [FORM_MEDIA_TYPE, URL_ENCODED];

/**
 * The headers of a page that is the same for everybody.
 *
 * @param keptSeconds How long a copy may be kept.
 */
export function sharedPage({ response }: Pick<FormPage, 'response'>, keptSeconds = 60): void {
  response.headers.set('Content-Type', HTML);
  response.headers.set('Cache-Control', `public, max-age=${keptSeconds}`);
}

/** The headers of a page that nobody else may see. */
export function privatePage({ response }: Pick<FormPage, 'response'>): void {
  response.headers.set('Content-Type', HTML);
  response.headers.set('Cache-Control', 'no-store');
}

/** The headers of a private page whose address is nobody's business either. */
export function secretPage(page: Pick<FormPage, 'response'>): void {
  privatePage(page);
  page.response.headers.set('Referrer-Policy', 'no-referrer');
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
): Promise<{ outcome: Outcome | null; refusal: Refusal | null }> {
  const { request, locals } = page;
  if (request.method !== 'POST') return { outcome: null, refusal: null };
  try {
    refuseCrossSite(request.headers, locals.ctx.config.baseUrl);
    if (locals.refusedBody) throw locals.refusedBody;
    return { outcome: await act(await readForm(request)), refusal: null };
  } catch (error) {
    return { outcome: null, refusal: refuse(page, error) };
  }
}

/** Sets a page's status to what was thrown, and tells the refusal that it shows; a bug is thrown on. */
export function refuse(
  { response, locals }: Pick<FormPage, 'locals' | 'response'>,
  error: unknown,
): Refusal {
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

/** No form of ours has as many, and each costs more than its two bytes. */
const MAX_FIELDS = 200;

async function readForm(request: Request): Promise<FormData> {
  try {
    return await formDataOf(request);
  } catch {
    if (FORM_MEDIA_TYPES.includes(mediaTypeOf(request))) {
      throw new DomainError('validation_failed', 'The body is no complete form');
    }
    throw new DomainError('unsupported_media_type', 'The body is not a form');
  }
}

async function formDataOf(request: Request): Promise<FormData> {
  if (mediaTypeOf(request) !== URL_ENCODED) return request.formData();
  const text = await request.text();
  if (text.split('&', MAX_FIELDS + 1).length > MAX_FIELDS) throw new RangeError('Too many fields');
  const form = new FormData();
  for (const [name, value] of new URLSearchParams(text)) form.append(name, value);
  return form;
}
