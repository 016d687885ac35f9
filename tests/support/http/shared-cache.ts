/** What a cache keeps of an answer. */
interface Kept {
  status: number;
  type: string | null;
  cookies: string[];
  body: string;
}

/**
 * A cache that many readers share, at its worst: it tells answers apart by address alone, whatever Vary says, and
 * keeps all that Cache-Control lets it give away without asking.
 */
export function aDeafCache(url: string) {
  const kept = new Map<string, Kept>();
  return {
    /** Asks the board for an address, unless the cache has it. */
    async through(address: string, headers: Readonly<Record<string, string>> = {}): Promise<void> {
      if (kept.has(address)) return;
      const answer = await fetch(url + address, { headers, redirect: 'manual' });
      const got = await read(answer);
      if (MAY_BE_SHARED.test(answer.headers.get('cache-control') ?? '')) kept.set(address, got);
    },
    /** All that it holds, by address. */
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
