import { DomainError } from '#core/domain/text/errors.ts';

/** An error that lists the allowed methods. */
export class MethodError extends DomainError {
  readonly allowed: readonly string[];

  constructor(method: string, allowed: readonly string[]) {
    super('method_not_allowed', `${method} is not allowed here`);
    this.allowed = allowed;
  }
}

export function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}
