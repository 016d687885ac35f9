/** Which codenames nobody may take. */

/** Words that pages, commands or people would mistake for something of the board's own. */
const RESERVED = new Set([
  'admin',
  'administrator',
  'all',
  'anonymous',
  'api',
  'auth',
  'badge',
  'board',
  'challenges',
  'developers',
  'everyone',
  'help',
  'keeper',
  'leaderboard',
  'login',
  'logout',
  'methodology',
  'metrics',
  'moderator',
  'new',
  'null',
  'oauth',
  'opbench',
  'operator',
  'operators',
  'owner',
  'privacy',
  'private',
  'root',
  'science',
  'settings',
  'staff',
  'submissions',
  'support',
  'system',
  'undefined',
]);

/** Anonymous operators are shown under names that begin so. */
const ANONYMOUS_PREFIX = 'anonymous-';

/** Whether a codename is kept back: a reserved word, or one that looks like an anonymous operator's. */
export function isReserved(codename: string): boolean {
  return RESERVED.has(codename) || isAlias(codename);
}

/** Whether a name stands for somebody who is anonymous. */
export function isAlias(codename: string): boolean {
  return codename.startsWith(ANONYMOUS_PREFIX);
}

/** How many characters tell one anonymous operator from another: 50 bits. */
const ALIAS_LENGTH = 10;

/**
 * The name that an operator is shown under while anonymous.
 *
 * @param hash A keyed hash of who is meant, at least 13 hex digits.
 */
export function aliasOf(hash: string): string {
  const number = BigInt(`0x${hash.slice(0, 13)}`);
  const digits = number.toString(32).padStart(ALIAS_LENGTH, '0').slice(-ALIAS_LENGTH);
  return ANONYMOUS_PREFIX + digits;
}
