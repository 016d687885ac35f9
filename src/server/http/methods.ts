import { DomainError } from '#core/domain/errors.ts';

/** A refusal that says what is allowed. */
export class MethodError extends DomainError {
  /** As the Allow header spells it. */
  readonly allow: string;

  constructor(method: string, allow: string) {
    super('method_not_allowed', `${method} is not allowed here`);
    this.allow = allow;
  }
}

/** Methods that no web request can have. */
const NEVER = ['CONNECT', 'TRACE', 'TRACK'];
/** The pages that have a form. */
const FORMS = ['/login/link', '/settings'];

/**
 * Refuses what no address takes, and writes to pages without a form. Operations of the API know
 * their methods themselves.
 *
 * @throws {MethodError}
 */
export function refuseMethod(method: string, path: string): void {
  if (NEVER.includes(method)) throw new MethodError(method, 'GET, HEAD, POST, DELETE');
  if (path.startsWith('/api/') || path.startsWith('/.well-known/')) return;
  const allowed = FORMS.includes(path) ? ['GET', 'HEAD', 'POST'] : ['GET', 'HEAD'];
  if (!allowed.includes(method)) throw new MethodError(method, allowed.join(', '));
}
