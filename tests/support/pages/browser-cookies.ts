/** The cookies of one browser, stored by name and path as browsers do. */
export class CookieJar {
  readonly #cookies = new Map<string, { name: string; value: string; path: string }>();

  /** The `Cookie` header for a path, or an empty text. */
  header(path: string): string {
    const fitting = [...this.#cookies.values()].filter((cookie) => isBelow(path, cookie.path));
    return fitting.map(({ name, value }) => `${name}=${value}`).join('; ');
  }

  /** Stores the cookies that a response sets. */
  keep(headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
      const [name = '', value = ''] = pair.split(/=(.*)/s);
      const path = valueOf(attributes, 'path') ?? '/';
      const expires = valueOf(attributes, 'expires');
      const isOver =
        valueOf(attributes, 'max-age') === '0' ||
        (expires !== undefined && Date.parse(expires) <= Date.now());
      if (isOver) this.#cookies.delete(`${name} ${path}`);
      else this.#cookies.set(`${name} ${path}`, { name, value, path });
    }
  }

  /** The value of a cookie for any path. */
  value(name: string): string | undefined {
    return [...this.#cookies.values()].find((cookie) => cookie.name === name)?.value;
  }

  set(name: string, value: string, path = '/'): void {
    this.#cookies.set(`${name} ${path}`, { name, value, path });
  }
}

function valueOf(attributes: readonly string[], name: string): string | undefined {
  const found = attributes.find((text) => text.toLowerCase().startsWith(`${name}=`));
  return found?.slice(name.length + 1);
}

function isBelow(path: string, folder: string): boolean {
  return folder === '/' || path === folder || path.startsWith(`${folder}/`);
}
