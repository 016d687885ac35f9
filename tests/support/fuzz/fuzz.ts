/** Requests of all kinds to a full board. */
import * as fc from 'fast-check';
import { expect } from 'vitest';
import { aPageRequest, pagePaths } from './arbitrary-page.ts';
import { type Asked, anAllowedRequest, spoiltRequests } from './arbitrary-request.ts';
import { aFullBoard } from '../http/contract-board.ts';
import { aDocument } from '../http/openapi.ts';
import { eventually } from '../http/server.ts';

const document = aDocument();
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => [path, method] as const),
);

/**
 * Sends generated requests. Expects that the server never fails, and that each response is declared in the document.
 *
 * @param runs The number of valid requests to each operation. Invalid ones are added.
 * @param turns The number of kinds of faults, of which each operation gets one and the next operation others.
 */
export async function expectToAnswer({
  runs,
  seed,
  turns = 1,
}: {
  runs: number;
  seed: number;
  turns?: number;
}): Promise<void> {
  const options = { seed, endOnFailure: true };
  const { server, cookie, codename, receipt } = await aFullBoard();
  const known = { codename: [codename], id: [receipt.id], tool: ['claude-code'] };
  const statuses = new Set<number>();

  async function ask({ method, address, headers, body }: Asked): Promise<void> {
    const again = async () => {
      const response = await fetch(server.url + address, {
        method,
        headers,
        body,
        redirect: 'manual',
      });
      await response.arrayBuffer();
      return response;
    };
    // On a busy computer, the database may be locked for too long. The response then asks for a retry.
    const response = await eventually(again, ({ status }) => status !== 503);
    statuses.add(response.status);
    expect(response.status, `${method} ${address}`).toBeLessThan(500);
  }

  for (const [at, [path, method]] of operations.entries()) {
    const allowed = anAllowedRequest(document, path, method, known);
    const signedIn = allowed.map((asked) => ({ ...asked, headers: { ...asked.headers, cookie } }));
    const either = fc.oneof(allowed, signedIn);
    await fc.assert(fc.asyncProperty(either, ask), { ...options, numRuns: runs });
    const spoiltOnes = [allowed, signedIn].flatMap(spoiltRequests);
    for (const spoilt of spoiltOnes.filter((_, way) => (at + way) % turns === 0)) {
      await fc.assert(fc.asyncProperty(spoilt, ask), { ...options, numRuns: 1 });
    }
  }

  for (const path of pagePaths()) {
    const page = aPageRequest(path, known);
    const signedIn = page.map((asked) => ({ ...asked, headers: { ...asked.headers, cookie } }));
    const numRuns = Math.ceil(runs / 2);
    await fc.assert(fc.asyncProperty(fc.oneof(page, signedIn), ask), { ...options, numRuns });
  }

  expect([...statuses].sort()).toEqual(
    expect.arrayContaining([200, 204, 304, 400, 401, 403, 404, 405, 413, 415, 422, 431]),
  );
  expect(server.log()).not.toContain('"level":"error"');
}
