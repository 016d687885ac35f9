/** What an admin's command asks of those that the board depends on, as the server asks them. */
import { DomainError } from '#core/domain/text/errors.ts';
import { boundedFetch } from '../provider/bounded-fetch.ts';
import { type UpstreamSite, arrival } from './upstream.ts';

export interface ProbeAnswer {
  status: number;
  text: string;
  /** What its clock says, in whole seconds, as milliseconds; null if it does not say. */
  dateMs: number | null;
}

export async function probeUrl(url: string): Promise<ProbeAnswer | null> {
  try {
    const answer = await boundedFetch(url, { headers: { 'User-Agent': 'opbench-board' } });
    const dateMs = Date.parse(answer.headers.get('date') ?? '');
    const text = await answer.text();
    return { status: answer.status, text, dateMs: Number.isNaN(dateMs) ? null : dateMs };
  } catch {
    return null;
  }
}

/** A code that no site ever gave. */
const NO_CODE = 'opbench-board-doctor';

/** Whether GitHub knows the board's application: it then refuses a code that it never gave as just that. */
export async function tryApplication(site: UpstreamSite): Promise<string | null> {
  try {
    await arrival(site, NO_CODE, NO_CODE.padEnd(43, '-'));
    return null;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return error.code === 'sign_in_failed' ? null : error.message;
  }
}
