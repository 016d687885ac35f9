/** What doctor finds out about the way to boards through a proxy. */
import { isDeepStrictEqual } from 'node:util';
import { readSetting } from '../auto/setting.ts';
import { plainProxyOnly, proxyFor } from '../board/proxy.ts';
import type { BoardReport } from '../device-reports.ts';
import type { Place } from '../device.ts';
import { Failure } from '../failure.ts';
import { type Finding, warning } from '../finding.ts';
import { keptProxy, proxyVariables } from '../kept/kept-proxy.ts';

type Where = Pick<Place, 'environment'>;

/** The proxy that leads to a board, without credentials; null if none does, or the variable is wrong. */
export async function shownProxy({ environment }: Where, board: string): Promise<string | null> {
  try {
    return (await proxyFor(board, environment))?.shown ?? null;
  } catch (error) {
    // Asking the board fails for the same reason.
    if (error instanceof Failure) return null;
    throw error;
  }
}

export function proxyFindings(
  { environment }: Where,
  boards: readonly Pick<BoardReport, 'board'>[],
): Finding[] {
  return [...plainFindings(environment, boards), ...timerFindings(environment)];
}

function plainFindings(
  environment: Where['environment'],
  boards: readonly Pick<BoardReport, 'board'>[],
): Finding[] {
  const variable = plainProxyOnly(environment);
  if (variable === null || !boards.some(({ board }) => board.startsWith('https:'))) return [];
  const advice = 'Boards are reached over https. If that needs the proxy, set HTTPS_PROXY, too.';
  return [warning(`${variable} is set, and HTTPS_PROXY is not: no proxy is used`, advice)];
}

/** Nothing is said in a shell that sets no proxy: the timer then uses what was saved for it. */
function timerFindings(environment: Where['environment']): Finding[] {
  const here = proxyVariables(environment);
  if (readSetting(environment) === null || Object.keys(here).length === 0) return [];
  if (isDeepStrictEqual(keptProxy(environment, 'timer'), here)) return [];
  const advice = 'To use those of this shell, run: opbench auto on';
  return [warning('The timer uses other proxy variables than this shell', advice)];
}
