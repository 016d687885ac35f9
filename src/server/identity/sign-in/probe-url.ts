/** Requests to the services that the board depends on, for the admin CLI, made as the server makes them. */
import { DomainError } from '#core/domain/text/errors.ts';
import { boundedFetch } from '../provider/bounded-fetch.ts';
import { type UpstreamSite, arrival } from './upstream.ts';

export interface ProbeAnswer {
  status: number;
  text: string;
  /** The time of the `Date` header in epoch milliseconds, to the second; null without one. */
  dateMs: number | null;
}

/** Returns null if there is no response in time. */
export async function probeUrl(url: string, timeoutMs?: number): Promise<ProbeAnswer | null> {
  try {
    const headers = { 'User-Agent': 'opbench-board' };
    const answer = await boundedFetch(url, { headers }, timeoutMs);
    const dateMs = Date.parse(answer.headers.get('date') ?? '');
    const text = await answer.text();
    return { status: answer.status, text, dateMs: Number.isNaN(dateMs) ? null : dateMs };
  } catch {
    return null;
  }
}

/** A code that no site ever issued. */
const NO_CODE = 'opbench-board-doctor';

/**
 * Checks whether GitHub knows the board's OAuth app, by exchanging a code that GitHub never issued. Returns null if
 * GitHub rejects only the code, and the error message otherwise.
 */
export async function tryApplication(site: UpstreamSite): Promise<string | null> {
  try {
    await arrival(site, NO_CODE, NO_CODE.padEnd(43, '-'), []);
    return null;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return error.code === 'sign_in_failed' ? null : error.message;
  }
}
