import { ROUTES } from '#core/contract/routes.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { readAddress } from './request/address.ts';
import { placesOf } from './routes/route-policy.ts';
import { problemHeaders, problemOf } from './response/problem.ts';
import type { Listener, Service } from './server.ts';

/** Answers what is asked before the first publication. */
export function starting(baseUrl: string): Service {
  const error = new DomainError('service_unavailable', 'The board is starting');
  const placeOf = placesOf(ROUTES, baseUrl);
  const listener: Listener = ({ url = '', method = '' }, response, requestId) => {
    const { path } = readAddress(url, baseUrl) ?? { path: '*' };
    const { headers } = placeOf(path).treatment(method);
    const problem = problemOf(error, { baseUrl, requestId });
    const more = Object.entries({
      'X-Request-Id': requestId,
      ...problemHeaders(problem, error, baseUrl),
    });
    response.writeHead(problem.status, headers.concat(more.flat())).end(JSON.stringify(problem));
  };
  return { listener, baseUrl };
}
