/** A visitor of a running server: a browser's cookies and headers, without its rendering. */
import { CookieJar } from '../pages/browser-cookies.ts';

/** The end of a visit. */
export interface Page {
  /** The address that was shown, or the foreign address to which the browser was sent. */
  url: string;
  status: number;
  headers: Headers;
  text: string;
}

/** The number of consecutive redirects that a browser follows. */
const MOST_HOPS = 10;

export class Visitor {
  readonly jar = new CookieJar();
  readonly #origin: string;

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** Opens an address and follows redirects on this site. A redirect to another site ends the visit. */
  async open(address: string, init: RequestInit = {}, hops = MOST_HOPS): Promise<Page> {
    const url = new URL(address, this.#origin);
    if (url.origin !== this.#origin) return elsewhere(url.href);
    const response = await this.request(url, init);
    const location = response.headers.get('location');
    if (response.status >= 300 && location !== null && hops > 0) {
      return this.open(new URL(location, url).href, {}, hops - 1);
    }
    const { status, headers } = response;
    const text = await response.text();
    const onward = /http-equiv="refresh" content="0; url=([^"]+)"/.exec(text)?.[1];
    if (onward !== undefined && hops > 0) {
      return this.open(onward.replaceAll('&#38;', '&').replaceAll('&amp;', '&'), {}, hops - 1);
    }
    return { url: url.href, status, headers, text };
  }

  /** Submits a form of the page at `path` with one of its buttons. */
  async post(path: string, fields: Record<string, string>): Promise<Page> {
    return this.open(path, { method: 'POST', body: new URLSearchParams(fields) });
  }

  /** Requests one address, and stores the cookies that it sets. */
  async request(url: URL | string, init: RequestInit = {}): Promise<Response> {
    const target = new URL(url, this.#origin);
    const headers = new Headers(init.headers);
    headers.set('Cookie', this.jar.header(target.pathname));
    headers.set('Sec-Fetch-Site', headers.get('Sec-Fetch-Site') ?? 'same-origin');
    const response = await fetch(target, { ...init, headers, redirect: 'manual' });
    this.jar.keep(response.headers);
    return response;
  }

  /** Continues a session, given as a Cookie header. */
  signInBy(cookie: string): void {
    this.jar.keep(new Headers({ 'Set-Cookie': `${cookie}; Path=/` }));
  }

  /** Signs in with an email address to a board that is reachable only from this computer. Returns the final address. */
  async signIn(address: string, returnTo = '/settings'): Promise<Page> {
    const asked = await this.open(`/login?return_to=${encodeURIComponent(returnTo)}`);
    return this.answerByMail(asked, address);
  }

  /** Submits the page that asks who signs in. */
  async answerByMail(asked: Page, address: string): Promise<Page> {
    await this.post(`${new URL(asked.url).pathname}/mail`, { address });
    const { text } = await this.open('/dev/mail');
    const token = /\/login\/mail\/link\?token=([\w-]+)/.exec(text)?.[1] ?? '';
    return this.post('/login/mail/link', { token });
  }
}

function elsewhere(url: string): Page {
  return { url, status: 0, headers: new Headers(), text: '' };
}
