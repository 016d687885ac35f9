/** The rules for creating an account on a board. */

/** `domain`: only people that the rules expect, and those with an invitation. */
export const JOIN_MODES = ['open', 'invite', 'domain'] as const;
export type JoinMode = (typeof JOIN_MODES)[number];

/** Which people a board expects. A person needs to match only one rule. */
export interface JoinRules {
  /** Domains of mailboxes, in lower case. */
  mailDomains: readonly string[];
  /** Organizations at GitHub. */
  githubOrganizations: readonly string[];
  /** Claims of the OpenID provider, such as a group. */
  claims: readonly { name: string; value: string }[];
}

/** What a sign-in proved about a person, apart from who it is. */
export interface Proof {
  /** The verified mailbox. */
  mailbox?: string;
  /** The organizations of which the person is a member, among those of the rules. */
  githubOrganizations?: readonly string[];
  claims?: Readonly<Record<string, unknown>>;
}

/** Whether the rules expect a person. Subdomains do not match, and claims with several values match by one of them. */
export function isExpected(rules: JoinRules, proof: Proof): boolean {
  const domain = proof.mailbox?.split('@').at(-1)?.toLowerCase();
  if (domain !== undefined && rules.mailDomains.includes(domain)) return true;
  const { githubOrganizations = [], claims = {} } = proof;
  if (githubOrganizations.some((name) => rules.githubOrganizations.includes(name))) return true;
  return rules.claims.some(({ name, value }) => {
    const stated = Object.hasOwn(claims, name) ? claims[name] : undefined;
    return Array.isArray(stated) ? stated.includes(value) : stated === value;
  });
}
