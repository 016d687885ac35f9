/** Why a board could not be asked through a proxy, and what to do about it. Credentials are never shown. */
import type { IncomingMessage } from 'node:http';
import { plain } from '#core/domain/text/terminal-text.ts';
import { EXIT, Failure } from '../failure.ts';
import { causeOf } from './failure.ts';
import type { Proxy } from './proxy.ts';

/** The proxy itself could not be asked. */
export function unreachableProxy(proxy: Proxy, error: unknown): Failure {
  const { reason } = causeOf(error);
  const message = `The proxy ${proxy.shown} (${proxy.variable}) cannot be reached: ${reason}`;
  const hint = `Check ${proxy.variable} and the network, then run the command again.`;
  return unheard(new Failure(EXIT.network, message, hint), true);
}

/** The proxy answered, and opened no tunnel. */
export function refusedByProxy(proxy: Proxy, host: string, answer: IncomingMessage): Failure {
  const { statusCode: status = 0, headers } = answer;
  if (status === 407) return unheard(signInFailure(proxy, headers['proxy-authenticate']), false);
  const message = `The proxy ${proxy.shown} did not connect to ${plain(host)} (status ${status})`;
  const hint = `Ask whoever runs the proxy to allow ${plain(host)}, or add it to NO_PROXY.`;
  return unheard(new Failure(EXIT.network, message, hint), status >= 500);
}

function signInFailure({ url, shown, variable }: Proxy, schemes: string | string[] = ''): Failure {
  if (!/\bbasic\b/i.test(String(schemes)) && String(schemes) !== '') {
    const message = `The proxy ${shown} requires a sign-in that opbench does not support (status 407)`;
    const hint = `Point ${variable} at a local proxy that signs in for you, such as Px or Cntlm.`;
    return new Failure(EXIT.network, message, hint);
  }
  const isGiven = url.username !== '' || url.password !== '';
  const message = isGiven
    ? `The proxy ${shown} rejected the user name and password in ${variable} (status 407)`
    : `The proxy ${shown} requires a user name and password (status 407)`;
  const hint = `Set ${variable} to http://USER:PASSWORD@HOST:PORT, with special characters percent-encoded.`;
  return new Failure(EXIT.network, message, hint);
}

/** Certificates that a proxy which inspects TLS puts in the place of the board's own. */
const UNTRUSTED = /SELF_SIGNED|UNABLE_TO_(GET_ISSUER|VERIFY_LEAF)/;

/** The board failed, or something on the way to it, behind the proxy. */
export function viaProxy({ shown, variable }: Proxy, failure: Failure, error: unknown): Failure {
  const { code } = causeOf(error);
  const hint = UNTRUSTED.test(code)
    ? 'If the proxy inspects TLS, set NODE_EXTRA_CA_CERTS to the file of its certificate.'
    : failure.hint;
  const message = `${failure.message} (through the proxy ${shown}, ${variable})`;
  const told = new Failure(EXIT.network, message, hint);
  return Object.assign(told, { isPassing: failure.isPassing, isUnheard: failure.isUnheard });
}

function unheard(failure: Failure, isPassing: boolean): Failure {
  return Object.assign(failure, { isPassing, isUnheard: true });
}
