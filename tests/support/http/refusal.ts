import { expect } from 'vitest';
import type { ErrorCode } from '#core/domain/text/errors.ts';

/** Matches the error with this code and, if given, with a fault at this place. */
export function refusal(code: ErrorCode, pointer?: string): unknown {
  const faults = expect.arrayContaining([expect.objectContaining({ pointer })]) as unknown;
  const members = { name: 'DomainError', code };
  return expect.objectContaining(pointer === undefined ? members : { ...members, faults });
}
