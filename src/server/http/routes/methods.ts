import { DomainError } from '#core/domain/text/errors.ts';

/** A refusal that says what is allowed. */
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
