import type { Count } from '#server/process/rate-limit.ts';

/**
 * All fields that tell what is left of a policy's window, the older three included: name, value,
 * name, value.
 */
export function rateLimitFields(count: Count): string[] {
  return [
    'RateLimit-Policy',
    policyField(count),
    'RateLimit',
    rateLimitField(count),
    'RateLimit-Limit',
    String(count.quota),
    'RateLimit-Remaining',
    String(count.remaining),
    'RateLimit-Reset',
    String(count.resetSeconds),
  ];
}

/**
 * The value of RateLimit-Policy.
 *
 * @see {@link https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-ratelimit-headers-10 | RateLimit header fields}
 */
export function policyField({ policy, quota, windowSeconds, unit }: Count): string {
  const counted = unit === 'requests' ? '' : `;qu="${unit}"`;
  return `"${policy}";q=${quota};w=${windowSeconds}${counted}`;
}

/** The value of RateLimit. */
export function rateLimitField({ policy, remaining, resetSeconds }: Count): string {
  return `"${policy}";r=${remaining};t=${resetSeconds}`;
}
