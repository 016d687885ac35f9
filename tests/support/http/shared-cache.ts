/** What a cache stores of a response. */
interface Kept {
  status: number;
  type: string | null;
  cookies: string[];
  body: string;
}

/**
 * The worst cache that many readers can share: it distinguishes responses by address alone, ignores Vary, and stores
 * everything that Cache-Control lets it serve without revalidation.
 */
export function aDeafCache(url: string) {
  const kept = new Map<string, Kept>();
  return {
    /** Requests an address from the board, unless it is cached. */
    async through(address: string, headers: Readonly<Record<string, string>> = {}): Promise<void> {
      if (kept.has(address)) return;
      const answer = await fetch(url + address, { headers, redirect: 'manual' });
      const got = await read(answer);
      if (MAY_BE_SHARED.test(answer.headers.get('cache-control') ?? '')) kept.set(address, got);
    },
    /** All cached responses, by address. */
    kept: () => Object.fromEntries(kept),
  };
}

const MAY_BE_SHARED = /^public, max-age=[1-9]/;

async function read(answer: Response): Promise<Kept> {
  const bytes = Buffer.from(await answer.arrayBuffer());
  return {
    status: answer.status,
    type: answer.headers.get('content-type'),
    cookies: answer.headers.getSetCookie(),
    body: bytes.toString('latin1'),
  };
}
